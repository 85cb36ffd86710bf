package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.ApiServices;
import dev.fallow.adapters.kubernetes.ApiServices.Registered;
import dev.fallow.app.command.DoctorCommand.Finding;
import dev.fallow.app.settings.MetricsSettings;
import dev.fallow.app.settings.MetricsSettings.MetricsApis;
import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.ApiRegistration.Owner;
import dev.fallow.core.autoscale.ApiRegistration.Place;
import dev.fallow.server.metricsapi.MetricsGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Who answers autoscalers, and whether that is who should. */
final class MetricsCheckUp {

  private static final String SUBJECT = "autoscaling";

  private MetricsCheckUp() {}

  static List<Finding> of(LiveCluster cluster) {
    Set<MetricsApis> wanted = cluster.settings().of(MetricsSettings.METRICS_APIS);
    Place ours = MetricsRole.service(cluster.settings(), cluster);
    ApiServices services = new ApiServices(cluster.connection());
    List<Finding> findings = new ArrayList<>();
    try {
      for (MetricsGroup group : MetricsGroup.values()) {
        boolean asked = wanted.contains(MetricsApis.valueOf(group.name()));
        boolean leftOut = !asked && !wanted.isEmpty();
        for (String version : group.versions()) {
          String name = version + "." + group.group();
          findings.add(finding(name, services.read(name), ours, asked, leftOut));
        }
      }
    } catch (Unavailable unreadable) {
      findings.add(
          new Finding(
              SUBJECT,
              String.valueOf(unreadable.getMessage()),
              wanted.isEmpty() ? "" : "grant get on them, and ask again"));
    }
    return findings;
  }

  /**
   * @param asked whether we are to answer for it
   * @param leftOut whether it was said for what else we are to answer
   */
  private static Finding finding(
      String name, Optional<Registered> registered, Place ours, boolean asked, boolean leftOut) {
    if (registered.isEmpty()) {
      return new Finding(
          SUBJECT,
          "nobody answers for " + name,
          asked ? "start fallow serve with --metrics-apis, and look at its log" : "");
    }
    String owner =
        registered
            .flatMap(one -> one.current().owner())
            .map(Owner::place)
            .map(place -> "the Service " + place)
            .orElse("the API server itself");
    boolean isOurs =
        registered
            .flatMap(one -> one.current().owner())
            .map(Owner::place)
            .filter(ours::isSameService)
            .isPresent();
    if (!registered.get().available()) {
      return new Finding(
          SUBJECT,
          name
              + " is answered by "
              + owner
              + ", which cannot be reached: "
              + registered.get().message(),
          "start it, or remove the APIService " + name);
    }
    if (leftOut && isOurs) {
      return new Finding(
          SUBJECT,
          name + " leads to " + owner + ", and --metrics-apis leaves it out",
          "kubectl delete apiservice " + name);
    }
    return new Finding(
        SUBJECT,
        name + " is answered by " + owner,
        asked && !isOurs
            ? "remove the APIService "
                + name
                + ", take it over with --take-over-metrics-apis, or leave it out of --metrics-apis"
            : "");
  }
}
