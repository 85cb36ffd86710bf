package dev.fallow.adapters.prometheus;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One String for each distinct label name and value, found from UTF-8 without making another: a
 * fleet repeats its node and model names in every series. Collected with its reader, unlike
 * interned Strings, and bounded. The seed keeps those who choose label values from choosing
 * collisions.
 */
final class StringPool {

  private final long longest;
  private final int seed = ThreadLocalRandom.current().nextInt() | 1;
  private @Nullable String[] slots = new @Nullable String[1024];
  private int[] hashes = new int[1024];
  private int size;
  private long bytes;

  /**
   * @param longest the bytes that all texts may have together
   */
  StringPool(long longest) {
    this.longest = longest;
  }

  String of(byte[] text, int offset, int length) throws ReplyTooLarge {
    int hash = hash(text, offset, length);
    int slot = slot(hash, slots.length);
    for (String found = slots[slot]; found != null; found = slots[slot]) {
      if (hashes[slot] == hash && same(found, text, offset, length)) {
        return found;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    bytes += length;
    if (bytes > longest) {
      throw new ReplyTooLarge("its labels take more than " + longest + " bytes");
    }
    String added = length == 0 ? "" : utf8(text, offset, length);
    slots[slot] = added;
    hashes[slot] = hash;
    if (++size > slots.length / 2) {
      grow();
    }
    return added;
  }

  int size() {
    return size;
  }

  private int hash(byte[] text, int offset, int length) {
    int hash = seed;
    for (int i = offset; i < offset + length; i++) {
      hash = (hash ^ text[i]) * 0x01000193;
      hash ^= hash >>> 15;
    }
    return hash;
  }

  /** Only ASCII has as many characters as bytes. */
  private static boolean same(String found, byte[] text, int offset, int length) {
    if (found.length() != length) {
      return found.length() < length && found.equals(utf8(text, offset, length));
    }
    for (int i = 0; i < length; i++) {
      if (found.charAt(i) != text[offset + i]) {
        return false;
      }
    }
    return true;
  }

  private static String utf8(byte[] text, int offset, int length) {
    return new String(text, offset, length, StandardCharsets.UTF_8);
  }

  private void grow() {
    @Nullable String[] oldSlots = slots;
    int[] oldHashes = hashes;
    slots = new @Nullable String[oldSlots.length * 2];
    hashes = new int[oldSlots.length * 2];
    for (int i = 0; i < oldSlots.length; i++) {
      if (oldSlots[i] != null) {
        int slot = slot(oldHashes[i], slots.length);
        while (slots[slot] != null) {
          slot = (slot + 1) & (slots.length - 1);
        }
        slots[slot] = oldSlots[i];
        hashes[slot] = oldHashes[i];
      }
    }
  }

  private static int slot(int hash, int slots) {
    return ((hash * 0x9E3779B9) >>> 7) & (slots - 1);
  }
}
