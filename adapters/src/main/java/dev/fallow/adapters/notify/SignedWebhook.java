package dev.fallow.adapters.notify;

import dev.fallow.adapters.WaryJson;
import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Channel;
import dev.fallow.core.notice.Delivery;
import dev.fallow.core.notice.Message;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Posts messages as JSON to programs of one's own. {@code X-Fallow-Signature} is the HMAC-SHA256 of
 * {@code timestamp.body}; {@code X-Fallow-Delivery} is the same at every attempt.
 */
public final class SignedWebhook implements Channel {

  /** Where one is, and the key that both sides know. */
  public record Endpoint(Secret url, Secret key) {}

  private record Target(URI url, Secret key) {}

  private final Outbound outbound;
  private final InstantSource clock;
  private final Map<String, Target> targets = new HashMap<>();

  /**
   * @param endpoints by the names that addresses use
   * @throws IllegalArgumentException with a sentence for people if an address is none
   */
  public SignedWebhook(Outbound outbound, InstantSource clock, Map<String, Endpoint> endpoints) {
    this.outbound = outbound;
    this.clock = clock;
    endpoints.forEach((name, endpoint) ->
        targets.put(
            name,
            new Target(SecretUrl.web(endpoint.url(), "the webhook " + name), endpoint.key())));
  }

  @Override
  public Delivery deliver(Address to, Message message) {
    Target target = targets.get(to.target());
    if (target == null) {
      return new Delivery.Refused(
          "no webhook "
              + PlainText.oneLine(to.target(), 60)
              + " is configured; add it, or correct"
              + " the address "
              + PlainText.oneLine(to.text(), 80));
    }
    byte[] body = WaryJson.write(content(message));
    String timestamp = String.valueOf(clock.instant().getEpochSecond());
    byte[] mac = Hmac.of(target.key(), (timestamp + ".").getBytes(StandardCharsets.UTF_8), body);
    Answer answer =
        outbound.post(
            target.url(),
            Map.of(
                "Content-Type",
                "application/json",
                "X-Fallow-Timestamp",
                timestamp,
                "X-Fallow-Signature",
                "sha256=" + HexFormat.of().formatHex(mac),
                "X-Fallow-Delivery",
                message.id()),
            body);
    return new Outcomes("the webhook " + to.target(), clock).of(answer);
  }

  private static Map<String, Object> content(Message message) {
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("id", message.id());
    content.put("kind", message.kind().name());
    content.put("workload", PlainText.oneLine(message.workload(), 1000));
    content.put("namespace", PlainText.oneLine(message.namespace(), 300));
    content.put("headline", PlainText.oneLine(message.headline(), 1000));
    content.put("sentence", PlainText.oneLine(message.sentence(), 4000));
    content.put(
        "facts",
        message.facts().stream()
            .limit(100)
            .map(fact ->
                Map.of(
                    "name", PlainText.oneLine(fact.name(), 300),
                    "value", PlainText.oneLine(fact.value(), 1000)))
            .toList());
    message.pausesAt().ifPresent(at -> content.put("pausesAt", at.toString()));
    content.put(
        "buttons",
        List.copyOf(message.buttons().stream().map(one -> one.action().name()).toList()));
    message.link().ifPresent(link -> content.put("link", link.url()));
    content.put("rehearsal", message.rehearsal());
    return content;
  }
}
