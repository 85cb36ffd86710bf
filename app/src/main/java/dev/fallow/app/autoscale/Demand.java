package dev.fallow.app.autoscale;

import dev.fallow.core.autoscale.Feed;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which feeds are asked for, and when each was last tried. However many ask for a feed, it is one;
 * and there are only so many, since the names come from whoever may ask.
 */
final class Demand {

  static final int MOST = 200;

  private final Duration lasts;
  private final Duration unknownLasts;
  private final Map<Feed, Instant> asked = new HashMap<>();
  private final Map<Feed, Instant> tried = new HashMap<>();
  private final Map<Feed, Instant> resting = new HashMap<>();
  private final Set<Feed> always = new LinkedHashSet<>();
  private Set<Feed> found = Set.of();

  /**
   * @param lasts after which a feed that nobody asks for is no longer read
   * @param unknownLasts for which a feed that had nothing is not tried again
   */
  Demand(Duration lasts, Duration unknownLasts) {
    this.lasts = lasts;
    this.unknownLasts = unknownLasts;
  }

  /** Feeds that are read whoever asks. */
  synchronized void always(Collection<Feed> feeds) {
    always.addAll(feeds);
  }

  /** Somebody asks; answers the feeds that have never been tried, or not of late. */
  synchronized Set<Feed> ask(Collection<Feed> feeds, Instant now) {
    Set<Feed> untried = new LinkedHashSet<>();
    for (Feed feed : feeds) {
      if (asked.containsKey(feed)
          || always.contains(feed)
          || Feed.isKnown(feed.name())
          || makeRoom(now)) {
        asked.put(feed, now);
        if (!tried.containsKey(feed)) {
          untried.add(feed);
        }
      }
    }
    return untried;
  }

  /** What has numbers is not given up for names that may have none. */
  private boolean makeRoom(Instant now) {
    if (asked.size() < MOST) {
      return true;
    }
    Optional<Feed> unused =
        asked.entrySet().stream()
            .filter(one -> !found.contains(one.getKey()))
            .filter(one -> !one.getValue().plus(unknownLasts).isAfter(now))
            .min(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey);
    unused.ifPresent(this::forget);
    return unused.isPresent();
  }

  private void forget(Feed feed) {
    asked.remove(feed);
    tried.remove(feed);
    resting.remove(feed);
  }

  /** Not to be asked for until then: it holds up the others. */
  synchronized void rest(Feed feed, Instant until) {
    if (asked.containsKey(feed) || always.contains(feed)) {
      resting.put(feed, until);
    }
  }

  synchronized void tried(Feed feed, Instant now) {
    if (asked.containsKey(feed) || always.contains(feed)) {
      tried.put(feed, now);
    }
  }

  /**
   * The feeds to read now.
   *
   * @param found those that had something
   */
  synchronized Set<Feed> due(Set<Feed> found, Instant now) {
    this.found = Set.copyOf(found);
    for (Feed feed : Set.copyOf(asked.keySet())) {
      if (asked.getOrDefault(feed, Instant.MIN).plus(lasts).isBefore(now)) {
        forget(feed);
      }
    }
    Set<Feed> due = new LinkedHashSet<>();
    Set<Feed> wanted = new LinkedHashSet<>(always);
    wanted.addAll(asked.keySet());
    for (Feed feed : wanted) {
      Instant last = tried.getOrDefault(feed, Instant.MIN);
      if (resting.getOrDefault(feed, Instant.MIN).isAfter(now)) {
        continue;
      }
      if (found.contains(feed) || !last.plus(unknownLasts).isAfter(now)) {
        due.add(feed);
      }
    }
    return due;
  }
}
