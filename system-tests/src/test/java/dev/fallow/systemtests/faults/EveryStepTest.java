package dev.fallow.systemtests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fallow.core.prune.Step;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.systemtests.campaign.Campaign;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** The leader dies once at each named step of each kind, and no promise is broken. */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class EveryStepTest {
  private static final boolean ASKED = Boolean.getBoolean("campaign.steps");

  private PruneWorkshop workshop;

  @BeforeEach
  void open() {
    assumeTrue(ASKED, "three minutes a step; make campaign asks for it by -Dcampaign.steps=true");
    workshop = new PruneWorkshop(PruneWorkshop.temporary());
  }

  @AfterEach
  void close() {
    if (workshop != null) {
      workshop.close();
    }
  }

  /** Those of a whole cycle have no kind, and the second look is a single run's. */
  @ParameterizedTest
  @EnumSource(
      value = Step.class,
      mode = Mode.EXCLUDE,
      names = {"BEFORE_SECOND_LOOK", "AFTER_SECOND_LOOK", "BEFORE_REPAIR", "AFTER_REPAIR"})
  void aLeaderMayDieAtEveryKind(Step step) {
    KilledAtEveryKind fault = new KilledAtEveryKind(workshop, step);
    Campaign.Iteration iteration =
        new Campaign(step.ordinal(), 1).iterate(0, workshop, List.of(fault));
    System.out.println(iteration + " " + iteration.effects());
    assertThat(iteration.findings().violations()).as("logs in " + workshop.folder()).isEmpty();
    assertThat(fault.survivals()).isEmpty();
  }
}
