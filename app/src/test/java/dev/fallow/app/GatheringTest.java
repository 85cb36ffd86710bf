package dev.fallow.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ClusterReader;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.idle.IdleRule;
import dev.fallow.core.idle.Usage;
import dev.fallow.core.idle.UsageSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Objects and samples are read side by side, and the window is never too short for it. */
@Timeout(20)
class GatheringTest {

  private static final Instant AT = Instant.parse("2026-11-02T12:00:00Z");
  private static final Usage NONE = new Usage.Complete(List.of());

  private final List<Duration> asked = Collections.synchronizedList(new ArrayList<>());

  @Test
  void objectsAndSamplesAreReadAtTheSameTime() {
    CountDownLatch both = new CountDownLatch(2);
    ClusterReader reader =
        () -> {
          meet(both);
          return cluster("");
        };
    UsageSource source =
        (at, window) -> {
          meet(both);
          return NONE;
        };

    new Gathering(reader, source, IdleRule.DEFAULT).upTo(AT);

    assertThat(both.getCount()).isZero();
  }

  @Test
  void theUsualWindowIsAskedForOnce() {
    Gathering gathering = gathering("");

    gathering.upTo(AT);
    gathering.upTo(AT);

    assertThat(asked).containsExactly(IdleRule.DEFAULT.window(), IdleRule.DEFAULT.window());
  }

  @Test
  void aLongerWindowIsReadOnceMoreAndThenExpected() {
    Gathering gathering = gathering("2h");

    gathering.upTo(AT);
    gathering.upTo(AT);

    assertThat(asked)
        .containsExactly(IdleRule.DEFAULT.window(), Duration.ofHours(2), Duration.ofHours(2));
  }

  @Test
  void aWindowThatCannotBeReadIsTakenFromNobodyElse() {
    Usage.Missing tooMuch = new Usage.Missing("there are too many samples", false);
    AtomicBoolean full = new AtomicBoolean(true);
    Gathering gathering =
        new Gathering(
            () -> cluster("20d"),
            (at, window) -> {
              asked.add(window);
              return window.toDays() > 1 && full.get() ? tooMuch : NONE;
            },
            IdleRule.DEFAULT);
    Duration usual = IdleRule.DEFAULT.window();
    Duration long20 = Duration.ofDays(20);

    Usage read = new Usage.Complete(List.of(), usual);
    assertThat(gathering.upTo(AT).usage()).isEqualTo(read);
    assertThat(gathering.upTo(AT.plusSeconds(180)).usage()).isEqualTo(read);
    assertThat(asked).as("not asked for in each cycle").containsExactly(usual, long20, usual);

    full.set(false);
    gathering.upTo(AT.plusSeconds(3_601));
    full.set(true);
    asked.clear();
    assertThat(gathering.upTo(AT.plusSeconds(3_800)).usage()).as("it has grown").isEqualTo(read);
    assertThat(asked).containsExactly(long20, usual);
  }

  @Test
  void whatAsksForLessIsReadNevertheless() {
    Gathering gathering =
        new Gathering(
            () -> cluster("20d", "90m"),
            (at, window) -> {
              asked.add(window);
              return window.toDays() > 1 ? new Usage.Missing("it took too long", true) : NONE;
            },
            IdleRule.DEFAULT);
    Duration usual = IdleRule.DEFAULT.window();
    Duration less = Duration.ofMinutes(90);

    assertThat(gathering.upTo(AT).usage()).isEqualTo(new Usage.Complete(List.of(), less));
    assertThat(asked).containsExactly(usual, Duration.ofDays(20), less);
    asked.clear();
    gathering.upTo(AT.plusSeconds(180));
    assertThat(asked).as("not asked for in each cycle").containsExactly(less);
    asked.clear();
    gathering.upTo(AT.plusSeconds(700));
    assertThat(asked).as("it may have passed").containsExactly(less, Duration.ofDays(20));
  }

  @Test
  void aLongWindowThatCannotBeReadAnyMoreIsGivenUpWhateverTheReason() {
    AtomicBoolean full = new AtomicBoolean();
    Gathering gathering =
        new Gathering(
            () -> cluster("20d"),
            (at, window) -> {
              asked.add(window);
              return window.toDays() > 1 && full.get()
                  ? new Usage.Missing("it took too long", true)
                  : NONE;
            },
            IdleRule.DEFAULT);
    Duration usual = IdleRule.DEFAULT.window();
    gathering.upTo(AT);
    full.set(true);

    assertThat(gathering.upTo(AT.plusSeconds(180)).usage())
        .isEqualTo(new Usage.Complete(List.of(), usual));
    asked.clear();
    gathering.upTo(AT.plusSeconds(360));
    assertThat(asked).containsExactly(usual);
  }

  @Test
  void aLongWindowOfWhichSomethingIsMissingCostsNobodyElseTheProof() {
    Gathering gathering =
        new Gathering(
            () -> cluster("7d"),
            (at, window) ->
                window.toDays() > 1 ? new Usage.Partial(List.of(), "a store is away") : NONE,
            IdleRule.DEFAULT);

    assertThat(gathering.upTo(AT).usage())
        .isEqualTo(new Usage.Complete(List.of(), IdleRule.DEFAULT.window()));
  }

  @Test
  void aWindowRestsByItsOwnFailuresAlone() {
    AtomicBoolean slow = new AtomicBoolean();
    Duration usual = IdleRule.DEFAULT.window();
    Duration less = Duration.ofMinutes(90);
    Gathering gathering =
        new Gathering(
            () -> cluster("20d", "90m"),
            (at, window) -> {
              boolean lost = slow.get() ? window.compareTo(usual) > 0 : window.toDays() > 1;
              return lost ? new Usage.Missing("it took too long", true) : NONE;
            },
            IdleRule.DEFAULT);
    for (int hour = 0; hour < 12; hour++) {
      gathering.upTo(AT.plus(Duration.ofHours(hour)));
    }
    Instant later = AT.plus(Duration.ofHours(12));
    slow.set(true);
    gathering.upTo(later);
    slow.set(false);

    assertThat(gathering.upTo(later.plus(Duration.ofMinutes(11))).usage())
        .as("20d has failed for hours, 90m once")
        .isEqualTo(new Usage.Complete(List.of(), less));
  }

  @Test
  void aSourceThatIsAwayForAMomentIsAskedForAsMuchAsBefore() {
    AtomicBoolean away = new AtomicBoolean();
    Gathering gathering =
        new Gathering(
            () -> cluster("90m"),
            (at, window) -> away.get() ? new Usage.Missing("away", true) : NONE,
            IdleRule.DEFAULT);
    gathering.upTo(AT);
    away.set(true);
    assertThat(gathering.upTo(AT.plusSeconds(180)).usage()).isInstanceOf(Usage.Missing.class);
    away.set(false);

    assertThat(gathering.upTo(AT.plusSeconds(360)).usage())
        .isEqualTo(new Usage.Complete(List.of(), Duration.ofMinutes(90)));
  }

  @Test
  void aSourceThatIsAwayIsNotAskedForMore() {
    Gathering gathering =
        new Gathering(
            () -> cluster("20d", "90m"),
            (at, window) -> {
              asked.add(window);
              return new Usage.Missing("away", true);
            },
            IdleRule.DEFAULT);

    gathering.upTo(AT);

    assertThat(asked).containsExactly(IdleRule.DEFAULT.window());
  }

  @Test
  void withoutObjectsTheSamplesAreNotWaitedFor() {
    CountDownLatch over = new CountDownLatch(1);
    AtomicBoolean answered = new AtomicBoolean();
    UsageSource source =
        (at, window) -> {
          try {
            answered.set(over.await(60, TimeUnit.SECONDS));
          } catch (InterruptedException calledOff) {
            Thread.currentThread().interrupt();
          }
          return NONE;
        };
    Gathering gathering =
        new Gathering(
            () -> {
              throw new Unavailable("kubernetes", "no answer", true);
            },
            source,
            IdleRule.DEFAULT);

    assertThatThrownBy(() -> gathering.upTo(AT)).isInstanceOf(Unavailable.class);
    assertThat(answered).as("the samples are there").isFalse();
    over.countDown();
  }

  @Test
  void aDefectOfTheSourceIsNotSwallowed() {
    UsageSource source =
        (at, window) -> {
          throw new IllegalStateException("a bug");
        };

    assertThatThrownBy(() -> new Gathering(() -> cluster(""), source, IdleRule.DEFAULT).upTo(AT))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a bug");
  }

  private Gathering gathering(String idleWindow) {
    return new Gathering(
        () -> cluster(idleWindow),
        (at, window) -> {
          asked.add(window);
          return NONE;
        },
        IdleRule.DEFAULT);
  }

  /** Pods with a GPU each, in whose annotations their owners may have asked for a window. */
  private static ClusterState cluster(String... idleWindows) {
    List<ObjectTree> pods = new ArrayList<>();
    for (String idleWindow : idleWindows) {
      pods.add(pod("trainer-" + pods.size(), idleWindow));
    }
    return ClusterState.of(pods);
  }

  private static ObjectTree pod(String name, String idleWindow) {
    Map<String, Object> annotations =
        idleWindow.isEmpty() ? Map.of() : Map.of("fallow.dev/idle-window", idleWindow);
    return new ObjectTree(
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "Pod",
            "metadata",
            Map.of("namespace", "ml", "name", name, "annotations", annotations),
            "spec",
            Map.of(
                "containers",
                List.of(
                    Map.of(
                        "name",
                        "main",
                        "resources",
                        Map.of("limits", Map.of("nvidia.com/gpu", "1")))))));
  }

  private static void meet(CountDownLatch latch) {
    latch.countDown();
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
