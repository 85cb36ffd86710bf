package dev.fallow.app.notice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.app.demo.SimWorkshop;
import dev.fallow.app.prune.Deed;
import dev.fallow.app.prune.Pruner;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Delivery;
import dev.fallow.core.notice.Message;
import dev.fallow.core.notice.RetrySchedule;
import dev.fallow.core.savings.PriceBook;
import dev.fallow.sim.SimWorkload;
import dev.fallow.sim.SimulatedFleet;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random timelines: work comes and goes, workloads are kept and exempted, metrics are away,
 * channels fail and confirm late, instances end in the middle. Whatever is paused, its owner was
 * told of this very stillness a period before. What is true is known from the simulation and from
 * what the test itself did, and not from what the program remembers.
 */
class NoticeTimelinesTest {

  private static final int TIMELINES = 300;
  private static final int LOOKS = 20;
  private static final Duration PERIOD = Duration.ofMinutes(3);
  private static final Duration SAMPLED = Duration.ofSeconds(32);

  /** A message that its owner has, and when. */
  private record Told(Instant begun, Instant confirmed) {}

  /** One timeline, and all that is true in it. */
  private static final class World {
    private final SplittableRandom dice;
    private final SimulatedFleet fleet;
    private final SimWorkshop place;
    private final Map<String, Instant> firstSent = new ConcurrentHashMap<>();
    private final Map<String, List<Told>> told = new ConcurrentHashMap<>();

    /** When a look last found that a workload must not be paused, because of a person. */
    private final Map<String, Instant> spared = new HashMap<>();

    private final Map<String, String> marks = new HashMap<>();
    private NoticeDesk desk;
    private Pruner pruner;
    private int pauses;

    World(long seed) {
      this.dice = new SplittableRandom(seed);
      this.fleet = SimulatedFleet.sized(seed, 3);
      this.place =
          new SimWorkshop(fleet)
              .with(Map.of("duration", "5", "grace-period", "0", "max-idle-share", "100%"));
      this.desk = desk();
      this.pruner = place.pruner().telling(desk);
    }

    private void restart() {
      desk.close();
      desk = desk();
      pruner = place.pruner().telling(desk);
    }

    private NoticeDesk desk() {
      SplittableRandom moods = dice.split();
      return new NoticeDesk(
          (to, message) -> answer(message, moods),
          NoticeBook.onTheWorkloads(place.actuator()),
          new NoticeDesk.Office(
              List.of(new Address(Address.SLACK, "#gpus")),
              namespace -> List.of(),
              "",
              "",
              false,
              PERIOD,
              new RetrySchedule(Duration.ofSeconds(10), Duration.ofMinutes(2)),
              PriceBook.standard()),
          place::now,
          NoticeSigns.NONE);
    }

    /** Late is while time passes: the program hears of it after the owner has it. */
    private Delivery answer(Message message, SplittableRandom moods) {
      int mood;
      synchronized (moods) {
        mood = moods.nextInt(6);
      }
      if (message.kind() != Message.Kind.IDLE) {
        return new Delivery.Confirmed(place.now(), "ok");
      }
      Instant begun = firstSent.computeIfAbsent(message.id(), id -> place.now());
      return switch (mood) {
        case 0 -> new Delivery.Failed("500", Optional.of(Duration.ofSeconds(30)));
        case 1 -> new Delivery.Refused("channel_not_found");
        default -> {
          if (mood == 2) {
            place.pass(Duration.ofSeconds(8));
          }
          told.computeIfAbsent(message.workload(), any -> new CopyOnWriteArrayList<>())
              .add(new Told(begun, place.now()));
          yield new Delivery.Confirmed(place.now(), "ok");
        }
      };
    }

    void run() {
      for (int look = 0; look < LOOKS; look++) {
        people();
        place.metricsAreAway(dice.nextInt(8) == 0);
        Instant before = place.now();
        Pruner.Report report = pruner.cycle();
        boolean ends = dice.nextInt(10) == 0;
        while (!ends && !desk.isQuiet()) {
          Thread.onSpinWait();
        }
        check(report, before);
        marks.forEach((workload, key) -> spared.put(workload, before));
        if (ends || dice.nextInt(10) == 0) {
          restart();
        }
        place.pass(Duration.ofSeconds(20 + dice.nextInt(dice.nextInt(6) == 0 ? 3000 : 150)));
      }
      desk.close();
    }

    /** Somebody keeps or exempts a workload, or ends that. */
    private void people() {
      for (SimWorkload workload : fleet.workloads()) {
        String name = workload.toString();
        ObjectId id = place.id(name);
        String mark = marks.get(name);
        if (mark == null && dice.nextInt(12) == 0) {
          boolean keep = dice.nextBoolean();
          String key = keep ? Annotations.KEEP_UNTIL : Annotations.EXEMPT;
          String value = keep ? place.now().plus(Duration.ofDays(1)).toString() : "a demo";
          place.actuator().note(id, Map.of(key, Optional.of(value)));
          marks.put(name, key);
        } else if (mark != null && dice.nextInt(3) == 0) {
          place.actuator().note(id, Map.of(mark, Optional.empty()));
          marks.remove(name);
        }
      }
    }

    private void check(Pruner.Report report, Instant at) {
      for (Deed deed : report.deeds()) {
        if (deed.verb() == Deed.Verb.PAUSE && deed.done()) {
          String name = deed.workload().toString();
          pauses++;
          assertThat(marks).as("kept or exempt").doesNotContainKey(name);
          assertThat(told.getOrDefault(name, List.of()))
              .as("%s, paused at %s, spared at %s", name, at, spared.get(name))
              .anySatisfy(one -> {
                assertThat(one.confirmed().plus(PERIOD)).isBeforeOrEqualTo(place.now());
                assertThat(spared.getOrDefault(name, Instant.MIN)).isBefore(one.begun());
                assertThat(lastWork(name, at)).isBeforeOrEqualTo(one.begun().plus(SAMPLED));
              });
        }
      }
    }

    /** When one of its GPUs last really worked; of the last half minute no sample tells yet. */
    private Instant lastWork(String name, Instant at) {
      SimWorkload workload =
          fleet.workloads().stream()
              .filter(one -> one.toString().equals(name))
              .findFirst()
              .orElseThrow();
      for (Instant then = at.minus(SAMPLED);
          then.isAfter(fleet.start());
          then = then.minusSeconds(10)) {
        long millis = then.toEpochMilli();
        if (workload.slots().stream()
            .flatMap(slot -> slot.devices().stream())
            .anyMatch(device -> fleet.work(device, millis).active())) {
          return then;
        }
      }
      return Instant.MIN;
    }
  }

  @Test
  @Timeout(300)
  void nothingIsEverPausedWhoseOwnerWasNotToldOfThisStillness() {
    int pauses = 0;
    for (int seed = 0; seed < TIMELINES; seed++) {
      World world = new World(seed);
      try {
        world.run();
      } catch (AssertionError wrong) {
        throw new AssertionError("timeline " + seed, wrong);
      }
      pauses += world.pauses;
    }
    assertThat(pauses).isGreaterThan(TIMELINES / 4);
  }
}
