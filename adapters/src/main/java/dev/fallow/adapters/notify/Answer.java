package dev.fallow.adapters.notify;

import java.util.Optional;

/** What came back for a request. */
sealed interface Answer {

  /** A whole answer, its body included. */
  record Whole(int status, Optional<String> retryAfter, String text) implements Answer {

    /** Without the text: it may repeat what was sent. */
    @Override
    public String toString() {
      return "Whole[status=" + status + "]";
    }
  }

  /**
   * None, or only a part of one.
   *
   * @param sentence what goes after the name of the other side
   */
  record Broken(String sentence) implements Answer {}
}
