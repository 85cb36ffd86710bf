package dev.fallow.app.web;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** Answers that hold for a while, so that the same question is not asked again and again. */
public final class Remembered<T> {

  private record Answer<T>(T value, long until) {}

  private final int most;
  private final Map<String, Answer<T>> answers;

  /**
   * @param most how many are remembered; the oldest goes first
   */
  public Remembered(int most) {
    this.most = most;
    this.answers =
        new LinkedHashMap<>() {
          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Answer<T>> eldest) {
            return size() > Remembered.this.most;
          }
        };
  }

  public T get(String question, Supplier<T> ask, Function<T, Duration> howLong) {
    long now = System.nanoTime();
    synchronized (this) {
      Answer<T> known = answers.get(question);
      if (known != null && known.until() - now > 0) {
        return known.value();
      }
    }
    T value = ask.get();
    synchronized (this) {
      answers.remove(question);
      answers.put(question, new Answer<>(value, now + howLong.apply(value).toNanos()));
    }
    return value;
  }
}
