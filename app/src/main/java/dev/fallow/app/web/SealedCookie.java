package dev.fallow.app.web;

import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Something that a browser keeps for us and can neither read nor change: encrypted, with an end,
 * and out of reach of scripts. A long one is kept in several cookies, since none may be longer than
 * 4 KiB.
 */
public final class SealedCookie {

  /** Of the sealed text; what all headers together may be is 16 KiB. */
  static final int LONGEST = 12_000;

  private static final int LONGEST_PART = 3_800;
  private static final int MOST_PARTS = (LONGEST + LONGEST_PART - 1) / LONGEST_PART;
  private static final int NONCE = 12;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final String name;
  private final SecretKeySpec key;
  private final boolean https;
  private final String sameSite;

  /**
   * @param key the same for all replicas that are to understand each other
   * @param https whether browsers come that way; a cookie then goes no other
   * @param sameSite {@code Strict}, or {@code Lax} for one that has to come back with somebody who
   *     is sent here by another host
   */
  SealedCookie(String name, byte[] key, boolean https, String sameSite) {
    this.name = https ? "__Host-" + name : name;
    this.key = new SecretKeySpec(derived(key, name), "AES");
    this.https = https;
    this.sameSite = sameSite;
  }

  /** A key that is drawn anew with every start. */
  public static byte[] randomKey() {
    byte[] key = new byte[32];
    RANDOM.nextBytes(key);
    return key;
  }

  private static byte[] derived(byte[] key, String name) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(("fallow cookie " + name).getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java has HMAC", e);
    }
  }

  /** The reply with it; nothing if it is too long to be kept. */
  Optional<Reply> set(Reply reply, String text, Instant until, Instant now) {
    String sealed = sealed(text, until);
    if (sealed.length() > LONGEST) {
      return Optional.empty();
    }
    long seconds = Math.max(1, Duration.between(now, until).toSeconds());
    Reply with = reply;
    for (int part = 0; part < MOST_PARTS; part++) {
      int from = part * LONGEST_PART;
      // What an older and longer one left behind would otherwise be taken for a part of this one.
      with =
          from < sealed.length()
              ? with.withCookie(
                  cookie(
                      part,
                      sealed.substring(from, Math.min(sealed.length(), from + LONGEST_PART)),
                      seconds))
              : with.withCookie(cookie(part, "", 0));
    }
    return Optional.of(with);
  }

  /** The reply that makes a browser forget it. */
  Reply clear(Reply reply) {
    Reply with = reply;
    for (int part = 0; part < MOST_PARTS; part++) {
      with = with.withCookie(cookie(part, "", 0));
    }
    return with;
  }

  private String cookie(int part, String value, long seconds) {
    return partName(part)
        + "="
        + value
        + "; Path=/; HttpOnly; SameSite="
        + sameSite
        + "; Max-Age="
        + seconds
        + (https ? "; Secure" : "");
  }

  private String partName(int part) {
    return part == 0 ? name : name + "-" + part;
  }

  /** What was kept; nothing if there is none, it is not ours, or its time is over. */
  Optional<String> read(Request request, Instant now) {
    StringBuilder sealed = new StringBuilder();
    for (int part = 0; part < MOST_PARTS; part++) {
      Optional<String> value = Cookies.value(request, partName(part));
      if (value.isEmpty()) {
        break;
      }
      sealed.append(value.get());
    }
    return sealed.isEmpty() ? Optional.empty() : opened(sealed.toString(), now);
  }

  private String sealed(String text, Instant until) {
    byte[] plain = text.getBytes(StandardCharsets.UTF_8);
    byte[] content =
        ByteBuffer.allocate(Long.BYTES + plain.length)
            .putLong(until.toEpochMilli())
            .put(plain)
            .array();
    byte[] nonce = new byte[NONCE];
    RANDOM.nextBytes(nonce);
    try {
      byte[] hidden = cipher(Cipher.ENCRYPT_MODE, nonce).doFinal(content);
      byte[] whole = ByteBuffer.allocate(NONCE + hidden.length).put(nonce).put(hidden).array();
      return Base64.getUrlEncoder().withoutPadding().encodeToString(whole);
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java has AES-GCM", e);
    }
  }

  private Optional<String> opened(String sealed, Instant now) {
    if (sealed.length() > LONGEST) {
      return Optional.empty();
    }
    try {
      byte[] whole = Base64.getUrlDecoder().decode(sealed);
      if (whole.length <= NONCE) {
        return Optional.empty();
      }
      ByteBuffer content =
          ByteBuffer.wrap(
              cipher(Cipher.DECRYPT_MODE, Arrays.copyOf(whole, NONCE))
                  .doFinal(whole, NONCE, whole.length - NONCE));
      boolean over = !now.isBefore(Instant.ofEpochMilli(content.getLong()));
      return over
          ? Optional.empty()
          : Optional.of(StandardCharsets.UTF_8.decode(content).toString());
    } catch (GeneralSecurityException | IllegalArgumentException notOurs) {
      return Optional.empty();
    }
  }

  private Cipher cipher(int mode, byte[] nonce) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(128, nonce));
    return cipher;
  }
}
