package dev.fallow.systemtests.faults;

import static org.awaitility.Awaitility.await;

import dev.fallow.systemtests.campaign.Fault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/**
 * The wall clock of the product's machine jumps, and nobody else's. It is felt when the product
 * renews its lease with a time that is wrong.
 */
final class ClockJump implements Fault {
  private static final long[] SECONDS = {-86_400, -3_600, -60, -31, -5, 5, 31, 60, 3_600, 86_400};
  private static final Duration NOTICEABLE = Duration.ofSeconds(4);
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final PruneWorkshop workshop;
  private final Path library;
  private final Path clock;
  private boolean felt;

  ClockJump(PruneWorkshop workshop, Path library) {
    this.workshop = workshop;
    this.library = library;
    this.clock = workshop.folder().resolve("clock");
  }

  /** Debian's libfaketime, where it is installed. */
  static Optional<Path> library() {
    try (Stream<Path> folders = Files.list(Path.of("/usr/lib"))) {
      return folders
          .map(folder -> folder.resolve("faketime/libfaketime.so.1"))
          .filter(Files::exists)
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  @Override
  public String name() {
    return "clock jump";
  }

  @Override
  public String group() {
    return ProductFaults.PROCESSES;
  }

  @Override
  public void start(RandomGenerator dice) {
    felt = false;
    set(0);
    workshop.replace(
        Map.of(
            "LD_PRELOAD",
            library.toString(),
            "FAKETIME_TIMESTAMP_FILE",
            clock.toString(),
            "FAKETIME_CACHE_DURATION",
            "1",
            "FAKETIME_DONT_FAKE_MONOTONIC",
            "1"));
    set(SECONDS[dice.nextInt(SECONDS.length)]);
  }

  /** Not before it was felt, unless another fault keeps the lease from being renewed. */
  @Override
  public void heal() {
    try {
      await().atMost(LIMIT).ignoreExceptions().until(this::isWrong);
      felt = true;
    } catch (ConditionTimeoutException e) {
      // Void.
    }
    set(0);
    // Under the library, waits that end at a time end at once: the machine would be busy with them.
    workshop.replace(Map.of());
  }

  private boolean isWrong() {
    Instant renewed = Instant.parse(workshop.lease().at("spec", "renewTime").text());
    Duration ahead = Duration.between(Instant.now(), renewed);
    // A lease is up to three seconds old, and a clock that is slow shows as an old one.
    return ahead.compareTo(Duration.ofSeconds(2)) > 0 || ahead.negated().compareTo(NOTICEABLE) > 0;
  }

  @Override
  public boolean tookEffect() {
    return felt;
  }

  private void set(long seconds) {
    try {
      Files.writeString(clock, (seconds < 0 ? "" : "+") + seconds);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
