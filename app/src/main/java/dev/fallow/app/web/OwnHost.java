package dev.fallow.app.web;

import dev.fallow.server.Problem;
import dev.fallow.server.Rejected;
import dev.fallow.server.Request;
import java.net.URI;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The hosts by which people reach a port that believes whoever comes. Somebody can make a name of
 * their own lead to this port; to a browser, their page is then ours. Its host tells.
 */
record OwnHost(Predicate<String> known) {

  private static final String PORT = "(:[0-9]{1,5})?";
  private static final Pattern LOOPBACK =
      Pattern.compile("(localhost|127\\.0\\.0\\.1|\\[::1])" + PORT);

  /** An address is no name, so nobody has made it lead here. */
  private static final Pattern ADDRESS =
      Pattern.compile("([0-9]{1,3}(\\.[0-9]{1,3}){3}|\\[[0-9A-Fa-f:.]+])" + PORT);

  /** Where only this machine gets to. */
  static OwnHost loopback() {
    return new OwnHost(host -> LOOPBACK.matcher(host).matches());
  }

  /**
   * Here, any address, and the host of the page.
   *
   * @param page as people open it, or empty
   */
  static OwnHost of(String page) {
    String own = page.isEmpty() ? "" : Optional.ofNullable(URI.create(page).getHost()).orElse("");
    return new OwnHost(host ->
        LOOPBACK.matcher(host).matches()
            || ADDRESS.matcher(host).matches()
            || (!own.isEmpty() && host.replaceFirst(":[0-9]{1,5}$", "").equalsIgnoreCase(own)));
  }

  /**
   * @throws Rejected with the cure, if a request is for another host
   */
  void admit(Request request, String cure) {
    if (!request.headerAll("Host").stream().allMatch(known)) {
      throw new Rejected(new Problem(403, "FOREIGN_HOST", cure));
    }
  }
}
