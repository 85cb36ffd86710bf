package dev.fallow.adapters.prometheus;

import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One String for each distinct label value, found from characters without making another: a fleet
 * repeats its node and model names in every series. Collected with its reader, unlike interned
 * Strings, and bounded. The seed keeps those who choose label values from choosing collisions.
 */
final class StringPool {

  private final long longest;
  private final int seed = ThreadLocalRandom.current().nextInt() | 1;
  private @Nullable String[] slots = new @Nullable String[1024];
  private int[] hashes = new int[1024];
  private int size;
  private long characters;

  /**
   * @param longest the characters that all Strings may have together
   */
  StringPool(long longest) {
    this.longest = longest;
  }

  String of(char[] text, int offset, int length) throws ReplyTooLarge {
    int hash = hash(text, offset, length);
    int slot = slot(hash, slots.length);
    for (String found = slots[slot]; found != null; found = slots[slot]) {
      if (hashes[slot] == hash && same(found, text, offset, length)) {
        return found;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    characters += length;
    if (characters > longest) {
      throw new ReplyTooLarge("its label values take more than " + longest + " characters");
    }
    String added = length == 0 ? "" : new String(text, offset, length);
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

  private int hash(char[] text, int offset, int length) {
    int hash = seed;
    for (int i = offset; i < offset + length; i++) {
      hash = (hash ^ text[i]) * 0x01000193;
      hash ^= hash >>> 15;
    }
    return hash;
  }

  private static boolean same(String found, char[] text, int offset, int length) {
    if (found.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (found.charAt(i) != text[offset + i]) {
        return false;
      }
    }
    return true;
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
