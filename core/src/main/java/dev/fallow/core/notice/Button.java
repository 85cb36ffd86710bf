package dev.fallow.core.notice;

/** What the owner can ask for from within a message, where a channel has buttons. */
public record Button(Action action, String label) {

  /** What is asked for. */
  public enum Action {
    KEEP_4H,
    KEEP_8H,
    KEEP_24H,
    RESUME,
    WHY
  }
}
