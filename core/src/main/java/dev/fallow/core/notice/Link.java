package dev.fallow.core.notice;

import java.util.regex.Pattern;

/**
 * Where a message leads: an address of a web page that is safe to put into one. What browsers run
 * instead of opening, and characters that end a link in some notation, are no part of it.
 */
public record Link(String url) {

  private static final Pattern WEB =
      Pattern.compile("https?://[A-Za-z0-9.:\\[\\]-]+([/?#][A-Za-z0-9._~:/?#\\[\\]@!$&+,;=%-]*)?");

  /**
   * @throws IllegalArgumentException with a sentence for people if it is no such address
   */
  public Link {
    if (url.length() > 2000 || !WEB.matcher(url).matches()) {
      throw new IllegalArgumentException(
          "a link begins with http:// or https:// and holds only what an address may hold");
    }
  }
}
