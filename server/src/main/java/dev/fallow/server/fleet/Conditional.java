package dev.fallow.server.fleet;

import dev.fallow.server.Body;
import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** Spares whoever has an answer already from having it again. */
public final class Conditional {

  private Conditional() {}

  public static Reply reply(Request request, Reply reply) {
    String tag = "\"" + digest(reply.body()) + "\"";
    boolean known =
        request
            .header("If-None-Match")
            .map(tags -> Arrays.stream(tags.split(",")).map(String::strip).anyMatch(tag::equals))
            .orElse(false);
    return (known ? Reply.of(304, "application/json", "") : reply)
        .with("ETag", tag)
        .with("Cache-Control", "private, no-cache");
  }

  private static String digest(Body body) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      body.addTo(digest);
      return HexFormat.of().formatHex(digest.digest(), 0, 12);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
