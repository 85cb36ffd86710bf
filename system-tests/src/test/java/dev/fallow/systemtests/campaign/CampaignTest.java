package dev.fallow.systemtests.campaign;

import static dev.fallow.systemtests.campaign.AuditScript.time;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The driver, with a toy in the product's place and faults that only say that they were there. */
class CampaignTest {
  private final List<String> diary = new ArrayList<>();

  @Test
  void theSameSeedMakesTheSameChoices() {
    List<String> once = faultsOf(new Campaign(4, 20));
    assertThat(faultsOf(new Campaign(4, 20))).isEqualTo(once);
    assertThat(faultsOf(new Campaign(5, 20))).isNotEqualTo(once);
  }

  @Test
  void oneIterationCanBeHadAgainAlone() {
    Campaign campaign = new Campaign(4, 20);
    Toy toy = new Toy();
    Campaign.Report report = campaign.run(toy, catalogue(true), iteration -> {});
    long then = toy.thrown.get(17);

    Toy again = new Toy();
    Campaign.Iteration alone = campaign.iterate(17, again, catalogue(true));

    assertThat(alone.faults()).isEqualTo(report.iterations().get(17).faults());
    assertThat(again.thrown).containsExactly(then);
  }

  @Test
  void oneToThreeFaultsAreOnAtATimeAndNeverTwoOfAGroup() {
    Campaign.Report report = new Campaign(1, 50).run(new Toy(), catalogue(true), iteration -> {});

    assertThat(report.iterations())
        .allSatisfy(iteration -> assertThat(iteration.faults()).hasSizeBetween(1, 3))
        .noneSatisfy(iteration -> assertThat(iteration.faults()).contains("twin a", "twin b"))
        .anySatisfy(iteration -> assertThat(iteration.faults()).hasSize(3));
    assertThat(String.join(" ", faultsOf(new Campaign(1, 50))))
        .contains("twin a", "twin b", "one", "two", "three");
  }

  @Test
  void faultsAreOnDuringTrafficAndOffBeforeTheWorkshopHeals() {
    new Campaign(1, 1).run(new Toy(), List.of(new Pretended("one", "g", true)), iteration -> {});
    assertThat(diary)
        .containsExactly("reset", "start one", "traffic", "heal one", "heal", "traffic", "quiesce");
  }

  @Test
  void faultsAreHealedAlsoWhenTrafficFails() {
    Toy toy = new Toy();
    toy.fails = true;
    List<Fault> faults = List.of(new Pretended("one", "g", true));
    assertThatThrownBy(() -> new Campaign(1, 1).iterate(0, toy, faults)).hasMessage("no traffic");
    assertThat(diary).endsWith("heal one");
  }

  @Test
  void anIterationWhoseFaultNobodyFeltDoesNotCount() {
    List<Fault> faults =
        List.of(new Pretended("felt", "a", true), new Pretended("unfelt", "b", false));
    List<Campaign.Iteration> told = new ArrayList<>();

    Campaign.Report report = new Campaign(1, 10).run(new Toy(), faults, told::add);

    assertThat(report.counted()).isEqualTo(10);
    assertThat(report.voided()).isPositive();
    assertThat(told).hasSize((int) (report.counted() + report.voided()));
    assertThat(report.iterations())
        .allSatisfy(iteration ->
            assertThat(iteration.counts()).isEqualTo(!iteration.faults().contains("unfelt")));
  }

  @Test
  void aCampaignWithoutEffectGivesUp() {
    List<Fault> faults = List.of(new Pretended("unfelt", "b", false));
    Campaign.Report report = new Campaign(1, 5).run(new Toy(), faults, iteration -> {});
    assertThat(report.counted()).isZero();
    assertThat(report.voided()).isEqualTo(20);
  }

  @Test
  void aBrokenPromiseIsReportedWithTheIterationThatBrokeIt() {
    Toy toy = new Toy();
    toy.forgetsWhat = "a1";
    Campaign.Report report = new Campaign(1, 3).run(toy, catalogue(true), iteration -> {});

    assertThat(report.violations())
        .hasSize(3)
        .allSatisfy(v -> assertThat(v.invariant()).isEqualTo("I3"));
    assertThat(report.iterations().getFirst().toString()).contains("iteration 0", "1 VIOLATIONS");
  }

  @Test
  void whatAFaultKnowsOfTheDarkReachesTheChecker() {
    Fault darkening =
        new Pretended("one", "g", true) {
          @Override
          public List<Darkness> dark() {
            return List.of(new Darkness(new Span(time(0), time(9_000)), "no metrics"));
          }
        };
    Campaign.Report report = new Campaign(1, 1).run(new Toy(), List.of(darkening), iteration -> {});
    assertThat(report.violations())
        .singleElement()
        .satisfies(violation -> assertThat(violation.invariant()).isEqualTo("I8"));
  }

  private List<String> faultsOf(Campaign campaign) {
    return campaign.run(new Toy(), catalogue(true), iteration -> {}).iterations().stream()
        .map(iteration -> iteration.faults().toString())
        .toList();
  }

  private List<Fault> catalogue(boolean felt) {
    return List.of(
        new Pretended("twin a", "twins", felt),
        new Pretended("twin b", "twins", felt),
        new Pretended("one", "1", felt),
        new Pretended("two", "2", felt),
        new Pretended("three", "3", felt));
  }

  private class Pretended implements Fault {
    private final String name;
    private final String group;
    private final boolean felt;

    Pretended(String name, String group, boolean felt) {
      this.name = name;
      this.group = group;
      this.felt = felt;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public String group() {
      return group;
    }

    @Override
    public void start(RandomGenerator dice) {
      diary.add("start " + name);
    }

    @Override
    public void heal() {
      diary.add("heal " + name);
    }

    @Override
    public boolean tookEffect() {
      return felt;
    }
  }

  /** A run made up in advance: one workload, paused and recorded. */
  private final class Toy implements Workshop {
    private final List<Long> thrown = new ArrayList<>();
    private MadeUpRun run = new MadeUpRun();
    private boolean fails;
    private String forgetsWhat = "";

    @Override
    public void reset(RandomGenerator dice) {
      diary.add("reset");
      thrown.add(dice.nextLong());
      run = new MadeUpRun();
    }

    @Override
    public void traffic(RandomGenerator dice) {
      diary.add("traffic");
      if (fails) {
        throw new IllegalStateException("no traffic");
      }
    }

    @Override
    public void heal() {
      diary.add("heal");
    }

    @Override
    public void quiesce() {
      diary.add("quiesce");
      ObjectRef trainer = run.idle("trainer");
      run.at(3_600).pause(trainer, "a1");
      run.ledger.removeIf(record -> record.actionId().equals(forgetsWhat));
    }

    @Override
    public Evidence evidence() {
      return run.evidence();
    }

    @Override
    public RunSettings settings() {
      return MadeUpRun.SETTINGS;
    }
  }
}
