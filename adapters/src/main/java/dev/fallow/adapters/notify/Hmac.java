package dev.fallow.adapters.notify;

import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256. */
final class Hmac {

  private static final String ALGORITHM = "HmacSHA256";

  private Hmac() {}

  /** Over the parts one after another. */
  static byte[] of(Secret key, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key.bytes(), ALGORITHM));
      for (byte[] part : parts) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new AssertionError("every Java has HMAC-SHA256 with keys of any length", e);
    }
  }
}
