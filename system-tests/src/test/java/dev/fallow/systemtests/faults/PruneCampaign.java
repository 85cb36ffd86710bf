package dev.fallow.systemtests.faults;

import dev.fallow.systemtests.campaign.Campaign;
import dev.fallow.systemtests.campaign.Fault;
import dev.fallow.systemtests.campaign.RigFaults;
import java.util.ArrayList;
import java.util.List;

/** The product's campaign: all faults there are, drawn by a seed. */
final class PruneCampaign {
  private static final String WORKLOADS =
      "/(deployments|statefulsets|notebooks|inferenceservices|pytorchjobs|scaledobjects|workloadstates)/";

  private PruneCampaign() {}

  static List<Fault> catalogue(PruneWorkshop workshop) {
    List<Fault> faults = new ArrayList<>(ProductFaults.of(workshop));
    faults.addAll(RigFaults.ofServers(workshop.rig()));
    faults.addAll(RigFaults.ofPrometheus(workshop.prometheus()));
    faults.addAll(RigFaults.ofTheWayToTheApiServer(workshop.toApiServer(), WORKLOADS));
    faults.addAll(RigFaults.ofTheWayToPrometheus(workshop.toPrometheus()));
    faults.addAll(
        RigFaults.ofUsers(
            workshop.rig().client("alice"),
            workshop::contested,
            workshop.rig(),
            PruneWorkshop.USER));
    return faults;
  }

  /** Runs it, telling of each iteration as it ends. */
  static Campaign.Report run(long seed, int iterations, PruneWorkshop workshop) {
    return new Campaign(seed, iterations)
        .run(
            workshop,
            catalogue(workshop),
            iteration -> {
              System.out.println(iteration);
              iteration.findings().violations().forEach(System.out::println);
            });
  }

  static String summary(Campaign.Report report) {
    return "%d iterations counted, %d void, %d pauses, %d resumes, %d violations"
        .formatted(
            report.counted(),
            report.voided(),
            report.iterations().stream().mapToInt(one -> one.findings().pauses()).sum(),
            report.iterations().stream().mapToInt(one -> one.findings().resumes()).sum(),
            report.violations().size());
  }
}
