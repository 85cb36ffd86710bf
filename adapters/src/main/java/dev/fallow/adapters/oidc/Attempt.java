package dev.fallow.adapters.oidc;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * One try to sign in: three numbers nobody can guess.
 *
 * @param state comes back with the answer, and proves that the browser which asked brings it
 * @param nonce comes back in the token, and proves that it was made for this try
 * @param verifier is told to the issuer alone, and proves that the code was given to us
 */
public record Attempt(String state, String nonce, String verifier) {

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

  public static Attempt begin() {
    return new Attempt(random(), random(), random());
  }

  private static String random() {
    byte[] bytes = new byte[32];
    RANDOM.nextBytes(bytes);
    return TEXT.encodeToString(bytes);
  }

  /** What the issuer is told of the verifier beforehand. */
  String challenge() {
    try {
      return TEXT.encodeToString(
          MessageDigest.getInstance("SHA-256")
              .digest(verifier.getBytes(StandardCharsets.US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }

  /** Whether what came back is this one's. */
  public boolean began(String returned) {
    return same(state, returned);
  }

  static boolean same(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public String toString() {
    return "Attempt";
  }
}
