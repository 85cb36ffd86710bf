package dev.fallow.systemtests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.rig.RigFailureReport;
import dev.fallow.systemtests.campaign.Campaign;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The product under faults drawn by a seed. A few iterations by default; {@code make campaign} asks
 * for many.
 */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class PruneCampaignTest {
  private static final long SEED = Long.getLong("campaign.seed", 7);
  private static final int ITERATIONS = Integer.getInteger("campaign.iterations", 3);

  @Test
  void noPromiseIsBrokenUnderFaults() {
    try (PruneWorkshop workshop = new PruneWorkshop(PruneWorkshop.temporary())) {
      Campaign.Report report = PruneCampaign.run(SEED, ITERATIONS, workshop);
      System.out.println("campaign of seed " + SEED + ": " + PruneCampaign.summary(report));
      assertThat(report.violations()).as("logs in " + workshop.folder()).isEmpty();
      assertThat(report.counted()).isEqualTo(ITERATIONS);
      assertThat(report.iterations())
          .anySatisfy(iteration -> assertThat(iteration.findings().pauses()).isPositive());
    }
  }
}
