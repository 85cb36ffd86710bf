package dev.fallow.adapters.notify;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Whether a request is from Slack, from now, and comes for the first time. A request that was seen
 * is remembered by the code that we compute over it, so no other spelling of it passes as new.
 */
public final class SlackSignature {

  /** What a request turned out to be. */
  public sealed interface Checked {

    /**
     * Slack's own.
     *
     * @param code what no other request has, by which other instances know that it was taken
     */
    record Genuine(Instant sentAt, String code) implements Checked {}

    record Refused(Reason reason) implements Checked {}
  }

  /** Why a request is not believed. */
  public enum Reason {
    /** There is no signature or time stamp, or they are not of the form that Slack uses. */
    MALFORMED,
    /** Sent longer ago, or further in the future, than five minutes. */
    STALE,
    FORGED,
    REPLAYED,
    /** More genuine requests in five minutes than are remembered; without memory none is safe. */
    TOO_MANY
  }

  private static final Duration TOLERANCE = Duration.ofMinutes(5);
  private static final Pattern TIMESTAMP = Pattern.compile("[0-9]{1,12}");
  private static final Pattern SIGNATURE = Pattern.compile("v0=[0-9a-f]{64}");

  private final Secret signingSecret;
  private final InstantSource clock;
  private final int mostSeen;
  private final Map<String, Instant> seen = new LinkedHashMap<>();

  public SlackSignature(Secret signingSecret, InstantSource clock) {
    this(signingSecret, clock, 10_000);
  }

  SlackSignature(Secret signingSecret, InstantSource clock, int mostSeen) {
    this.signingSecret = signingSecret;
    this.clock = clock;
    this.mostSeen = mostSeen;
  }

  /**
   * @param timestamp the header {@code X-Slack-Request-Timestamp}, empty if there is none
   * @param signature the header {@code X-Slack-Signature}, empty if there is none
   * @param body as it came, before anything was decoded
   */
  public Checked check(String timestamp, String signature, byte[] body) {
    if (!TIMESTAMP.matcher(timestamp).matches() || !SIGNATURE.matcher(signature).matches()) {
      return new Checked.Refused(Reason.MALFORMED);
    }
    Instant now = clock.instant();
    Instant sentAt = Instant.ofEpochSecond(Long.parseLong(timestamp));
    if (Duration.between(sentAt, now).abs().compareTo(TOLERANCE) > 0) {
      return new Checked.Refused(Reason.STALE);
    }
    byte[] mac =
        Hmac.of(signingSecret, ("v0:" + timestamp + ":").getBytes(StandardCharsets.UTF_8), body);
    byte[] given = HexFormat.of().parseHex(signature, 3, signature.length());
    if (!MessageDigest.isEqual(mac, given)) {
      return new Checked.Refused(Reason.FORGED);
    }
    return remember(HexFormat.of().formatHex(mac), sentAt, now);
  }

  private synchronized Checked remember(String mac, Instant sentAt, Instant now) {
    seen.values().removeIf(sent -> sent.plus(TOLERANCE).isBefore(now));
    if (seen.containsKey(mac)) {
      return new Checked.Refused(Reason.REPLAYED);
    }
    if (seen.size() >= mostSeen) {
      return new Checked.Refused(Reason.TOO_MANY);
    }
    seen.put(mac, sentAt);
    return new Checked.Genuine(sentAt, mac);
  }
}
