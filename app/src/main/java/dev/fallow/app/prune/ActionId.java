package dev.fallow.app.prune;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;

/** Names an action: the same workload at another time is another action. */
public final class ActionId {

  private ActionId() {}

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
