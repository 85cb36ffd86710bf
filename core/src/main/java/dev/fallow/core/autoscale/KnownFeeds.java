package dev.fallow.core.autoscale;

import dev.fallow.core.idle.Device;
import dev.fallow.core.idle.DeviceId;
import dev.fallow.core.idle.Samples;
import dev.fallow.core.idle.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * By what each device has been measured of late, in a snapshot and those before it. A device that
 * had a feed and has it no more has lost it: another signal in its place would be a jump that
 * nobody measured. After an hour it counts as measured otherwise now.
 */
final class KnownFeeds {

  private static final Duration LASTS = Duration.ofHours(1);

  /** When each was measured last. */
  private final Map<DeviceId, Map<Feed, Long>> newest = new HashMap<>();

  KnownFeeds(List<Device> devices) {
    for (Device device : devices) {
      for (Device.Claim claim : device.claims()) {
        Optional<Signal> signal = claim.series().labels().family().signal();
        if (signal.isPresent()) {
          Feed feed = Feed.of(signal.get());
          Samples samples = claim.series().samples();
          int last = samples.size() - 1;
          while (last >= 0 && Drop.of(feed, signal, samples.value(last)).isPresent()) {
            last--;
          }
          if (last >= 0) {
            add(device.id(), feed, samples.millis(last));
          }
        }
      }
    }
  }

  private void add(DeviceId device, Feed feed, long millis) {
    newest.computeIfAbsent(device, key -> new HashMap<>()).merge(feed, millis, Math::max);
  }

  /** Adds what the snapshot before this one knew, as long as it counts. */
  void remember(KnownFeeds before, Instant now) {
    long since = now.minus(LASTS).toEpochMilli();
    before.newest.forEach((device, feeds) ->
        feeds.forEach((feed, millis) -> {
          if (millis > since) {
            add(device, feed, millis);
          }
        }));
  }

  boolean has(Device device, Feed feed) {
    return newest.getOrDefault(device.id(), Map.of()).containsKey(feed);
  }
}
