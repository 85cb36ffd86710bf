package dev.fallow.systemtests.faults;

import dev.fallow.systemtests.campaign.Campaign;
import dev.fallow.systemtests.campaign.Fault;
import dev.fallow.systemtests.campaign.RigFaults;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The product's campaign: all faults there are, drawn by a seed. */
final class PruneCampaign {
  private static final String WORKLOADS =
      "/(deployments|replicasets|statefulsets|notebooks|inferenceservices|leaderworkersets|jobs|jobsets|rayclusters|pytorchjobs|rollouts|scaledobjects|workloadstates)/";

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
  static Campaign.Report run(long seed, int iterations, List<PruneWorkshop> workshops) {
    return new Campaign(seed, iterations)
        .run(
            workshops.stream()
                .map(workshop -> new Campaign.Lane(workshop, catalogue(workshop)))
                .toList(),
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

  /** How often each thing went wrong, in iterations that count. */
  static String tally(Campaign.Report report) {
    Map<String, Long> counts =
        report.iterations().stream()
            .filter(Campaign.Iteration::counts)
            .flatMap(iteration -> iteration.effects().stream())
            .collect(Collectors.groupingBy(effect -> effect, TreeMap::new, Collectors.counting()));
    return counts.entrySet().stream()
        .map(entry -> "%5d  %s".formatted(entry.getValue(), entry.getKey()))
        .collect(Collectors.joining(System.lineSeparator()));
  }
}
