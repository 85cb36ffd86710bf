package dev.fallow.systemtests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.rig.RigFailureReport;
import dev.fallow.systemtests.campaign.Campaign;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
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

  /** Each is a cluster of its own; they share nothing but this machine. */
  private static final int LANES = Integer.getInteger("campaign.lanes", 1);

  private final List<PruneWorkshop> workshops = new ArrayList<>();

  @AfterEach
  void close() {
    workshops.forEach(PruneWorkshop::close);
  }

  @Test
  void noPromiseIsBrokenUnderFaults() {
    while (workshops.size() < LANES) {
      workshops.add(new PruneWorkshop(PruneWorkshop.temporary()));
    }
    Campaign.Report report = PruneCampaign.run(SEED, ITERATIONS, workshops);
    System.out.println("campaign of seed " + SEED + ": " + PruneCampaign.summary(report));
    System.out.println(PruneCampaign.tally(report));
    assertThat(report.violations())
        .as("logs in " + workshops.stream().map(PruneWorkshop::folder).toList())
        .isEmpty();
    assertThat(report.broken()).hasSizeLessThanOrEqualTo(Math.max(1, ITERATIONS / 10));
    assertThat(report.counted()).isGreaterThanOrEqualTo(ITERATIONS);
    assertThat(report.iterations())
        .anySatisfy(iteration -> assertThat(iteration.findings().pauses()).isPositive());
  }
}
