package dev.fallow.app.prune;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** Names an action: the same workload at another time is another action. */
public final class ActionId {

  private static final Pattern FORM = Pattern.compile("[0-9a-f]{16}");

  private ActionId() {}

  /** Whether a text that somebody wrote on an object can be one. */
  static boolean isOne(String text) {
    return FORM.matcher(text).matches();
  }

  public static String of(String workloadUid, Instant at) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest((workloadUid + "/" + at).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
