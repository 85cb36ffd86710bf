package dev.fallow.core.notice;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where one owner is told: {@code slack:#ml-team}, {@code slack:@U0123ABC}, {@code
 * mail:alice@example.com}, {@code teams:ml}, {@code webhook:pager}. Owners write it into
 * annotations, so Teams and webhooks go by the name of a configured one: an address of the web
 * would let an annotation send requests from inside the cluster.
 */
public record Address(String channel, String target) {

  public static final String SLACK = "slack";
  public static final String MAIL = "mail";
  public static final String TEAMS = "teams";
  public static final String WEBHOOK = "webhook";

  /** What became of a text. */
  public sealed interface Parsed {

    record Valid(Address address) implements Parsed {}

    /** A sentence for people; does not repeat the text, which may hold a secret by mistake. */
    record Problem(String sentence) implements Parsed {}
  }

  private record Form(String channel, Pattern target, String cure) {}

  private static final Pattern CONFIGURED = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

  private static final List<Form> FORMS =
      List.of(
          new Form(
              SLACK,
              Pattern.compile("#[\\p{L}\\p{N}_-]{1,80}|@[UW][A-Z0-9]{2,20}|[CGD][A-Z0-9]{6,20}"),
              "write slack:#channel, or slack:@ and the member ID that the profile's menu copies,"
                  + " such as slack:@U0123ABC"),
          new Form(
              MAIL,
              Pattern.compile(
                  "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
                      + "@[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?"
                      + "(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*"),
              "write one plain address, such as mail:alice@example.com"),
          new Form(
              TEAMS,
              CONFIGURED,
              "write the name under which its webhook is configured, such as teams:ml; the"
                  + " webhook's own address belongs into the settings"),
          new Form(
              WEBHOOK,
              CONFIGURED,
              "write the name under which it is configured, such as webhook:pager; its address"
                  + " belongs into the settings"));

  private static final int LONGEST = 254;

  /** Reads {@code channel:target}. */
  public static Parsed parse(String text) {
    String trimmed = text.strip();
    int colon = trimmed.indexOf(':');
    String channel = colon < 0 ? "" : trimmed.substring(0, colon);
    Optional<Form> form = FORMS.stream().filter(one -> one.channel().equals(channel)).findFirst();
    if (form.isEmpty()) {
      return new Parsed.Problem(
          "an address begins with slack:, mail:, teams: or webhook:, such as slack:#ml-team");
    }
    String target = trimmed.substring(colon + 1);
    if (target.length() > LONGEST || !form.get().target().matcher(target).matches()) {
      return new Parsed.Problem(
          "what follows " + channel + ": cannot be an address there; " + form.get().cure());
    }
    return new Parsed.Valid(new Address(channel, target));
  }

  /** As it was written. */
  public String text() {
    return channel + ":" + target;
  }
}
