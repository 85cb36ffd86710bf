package dev.fallow.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.idle.DeviceFinding;
import dev.fallow.core.idle.DeviceFinding.State;
import dev.fallow.core.idle.PodFinding;
import dev.fallow.core.idle.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The books balance, tried on thousands of random fleets. A failure names its seed. */
class AccountingPropertiesTest {

  private static final int TRIES = 10_000;
  private static final Duration MAX_GAP = Duration.ofMinutes(30);
  private static final long HOUR = 3_600_000;

  @Test
  void whatPodsHoldIsBusyIdleKeptOrUnknownToTheLastUnit() {
    Set<GpuState> seen = EnumSet.noneOf(GpuState.class);
    for (long seed = 0; seed < TRIES; seed++) {
      Books books = new Books(seed);
      Map<Long, Long> counted = new TreeMap<>();
      for (GpuTime time : new Accounting(MAX_GAP).count(books.look.build())) {
        seen.add(time.state());
        assertThat(time.amount()).as("seed %d", seed).isPositive();
        if (time.state() != GpuState.SAVED) {
          counted.merge(time.hour().toEpochMilli(), time.amount(), Long::sum);
        }
      }
      assertThat(counted).as("seed %d", seed).isEqualTo(books.allocated());
    }
    assertThat(seen).containsExactlyInAnyOrder(GpuState.values());
  }

  @Test
  void countingInOneLookOrInTwoGivesTheSameTotal() {
    for (long seed = 0; seed < TRIES; seed++) {
      Books whole = new Books(seed);
      Span span = whole.span;
      Instant middle =
          span.from().plusMillis(new Random(seed).nextLong(span.length().toMillis() + 1));
      Accounting accounting = new Accounting(Duration.ofDays(9));
      Look look = whole.look.build();
      long parts =
          total(accounting.count(within(look, new Span(span.from(), middle))))
              + total(accounting.count(within(look, new Span(middle, span.to()))));
      assertThat(parts).as("seed %d", seed).isEqualTo(total(accounting.count(look)));
    }
  }

  private static Look within(Look look, Span span) {
    return new Look(
        span, look.decisions(), look.sharingNodes(), look.spotNodes(), look.teams(), look.paused());
  }

  private static long total(List<GpuTime> times) {
    return times.stream().mapToLong(GpuTime::amount).sum();
  }

  /** A random fleet, and beside it what is held in truth, millisecond by millisecond. */
  private static final class Books {
    final Random random;
    final Span span;
    final LookBuilder look;

    /** Each holder of its own, or each card or slice that is shared: parts, and since when. */
    final Map<String, Integer> parts = new HashMap<>();

    final Map<String, Long> since = new HashMap<>();

    Books(long seed) {
      random = new Random(seed);
      Instant from = LookBuilder.NOON.plusMillis(random.nextInt(7_200_000));
      Duration length =
          Duration.ofMillis(
              random.nextInt(3) == 0 ? random.nextInt(8_000_000) : random.nextInt(400_000));
      span = new Span(from, from.plus(length));
      look = new LookBuilder(from, length);
      int workloads = 1 + random.nextInt(5);
      for (int w = 0; w < workloads; w++) {
        workload("w" + w);
      }
      if (random.nextBoolean()) {
        look.paused(LookBuilder.off("off", "T4", random.nextInt(9), bindTime()));
      }
    }

    private void workload(String name) {
      PodFinding[] pods = new PodFinding[1 + random.nextInt(4)];
      for (int p = 0; p < pods.length; p++) {
        pods[p] = pod(name + "-" + p);
      }
      switch (random.nextInt(4)) {
        case 0 -> look.idle(name, pods);
        case 1 -> look.kept(name, pods);
        case 2 -> look.busy(name, pods);
        default -> look.unknown(name, Reason.values()[2 + random.nextInt(6)], pods);
      }
    }

    private Instant bindTime() {
      return random.nextInt(3) == 0
          ? span.from().plusMillis(random.nextInt(9_000_000) - 600_000)
          : span.from().minusSeconds(random.nextInt(9_999));
    }

    private PodFinding pod(String name) {
      Instant bound = bindTime();
      Map<String, Integer> asked = new HashMap<>();
      List<DeviceFinding> devices = new ArrayList<>();
      int most = 1 + random.nextInt(3);
      if (random.nextInt(3) == 0) {
        // A part of one of three cards, by name; sometimes no series tells which.
        asked.put("nvidia.com/gpu.shared", most);
        boolean shown = random.nextInt(6) != 0;
        String card = shown ? "shared-" + random.nextInt(3) : "unseen";
        if (shown) {
          devices.add(LookBuilder.device(card, state()));
        }
        hold(card, 5040, bound);
      } else {
        boolean mig = random.nextInt(3) == 0;
        String profile = List.of("1g.5gb", "2g.10gb", "3g.20gb", "7g.40gb").get(random.nextInt(4));
        boolean named = random.nextBoolean();
        asked.put(mig && named ? "nvidia.com/mig-" + profile : "nvidia.com/gpu", most);
        int sevenths = Integer.parseInt(profile.substring(0, 1));
        for (int i = 0; i < most; i++) {
          boolean shown = random.nextInt(5) != 0;
          if (shown) {
            devices.add(LookBuilder.device(name + i, mig ? profile : "", state()));
          }
          // A slice that goes by the name of a GPU and is not seen cannot be told from a card.
          boolean slice = mig && (named || shown);
          hold(name + i, slice ? 720 * sevenths : 5040, bound);
        }
      }
      return LookBuilder.pod(name, bound, asked, devices.toArray(DeviceFinding[]::new));
    }

    private State state() {
      return State.values()[random.nextInt(4)];
    }

    private void hold(String holder, int held, Instant bound) {
      parts.put(holder, held);
      since.merge(holder, bound.toEpochMilli(), Math::min);
    }

    /** By hour: the devices that somebody held, for as long as somebody held them. */
    Map<Long, Long> allocated() {
      Map<Long, Long> byHour = new TreeMap<>();
      long from = span.from().toEpochMilli();
      long to = span.to().toEpochMilli();
      parts.forEach((holder, held) -> {
        for (long hour = from / HOUR * HOUR; hour < to; hour += HOUR) {
          long start = Math.max(Math.max(from, since.get(holder)), hour);
          long end = Math.min(to, hour + HOUR);
          if (end > start) {
            byHour.merge(hour, held * (end - start), Long::sum);
          }
        }
      });
      return byHour;
    }
  }
}
