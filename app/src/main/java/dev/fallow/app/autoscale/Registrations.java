package dev.fallow.app.autoscale;

import dev.fallow.adapters.kubernetes.ApiServices;
import dev.fallow.adapters.kubernetes.ApiServices.Registered;
import dev.fallow.adapters.kubernetes.ApiServices.Version;
import dev.fallow.app.log.Log;
import dev.fallow.core.autoscale.ApiRegistration;
import dev.fallow.core.autoscale.ApiRegistration.Owner;
import dev.fallow.core.autoscale.ApiRegistration.Step;
import dev.fallow.server.metricsapi.MetricsGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sees to it that the API server asks us, where nobody else is asked. */
final class Registrations {

  /** Whoever takes it back that often has somebody who sees to it. */
  private static final int ATTEMPTS = 2;

  private final ApiServices services;
  private final MetricsPlan plan;
  private final Map<String, Integer> taken = new HashMap<>();

  Registrations(ApiServices services, MetricsPlan plan) {
    this.services = services;
    this.plan = plan;
  }

  /**
   * What became of it.
   *
   * @param conflicts sentences for people, with the cure
   * @param former whom each API was taken from, by what stands on the registration
   */
  record Result(List<String> conflicts, Map<MetricsGroup, Owner> former) {}

  /**
   * @throws dev.fallow.core.Unavailable when the API server does not say, or refuses
   */
  Result keep(Owner ours) {
    List<String> conflicts = new ArrayList<>();
    Map<MetricsGroup, Owner> former = new HashMap<>();
    for (MetricsGroup group : plan.groups()) {
      int priority = 0;
      for (String name : group.versions()) {
        priority += 100;
        keep(new Version(group.group(), name, priority), ours, conflicts)
            .ifPresent(owner -> former.put(group, owner));
      }
    }
    return new Result(conflicts, former);
  }

  private Optional<Owner> keep(Version version, Owner ours, List<String> conflicts) {
    Optional<Registered> found = services.read(version.name());
    boolean allowed = plan.takesOver() && taken.getOrDefault(version.name(), 0) < ATTEMPTS;
    Step step = ApiRegistration.step(ours, found.map(Registered::current), allowed);
    Optional<Owner> former = found.flatMap(one -> one.current().former());
    switch (step) {
      case Step.Keep kept -> {
        // As it should be.
      }
      case Step.Create create -> {
        if (services.create(version, ours)) {
          Log.info("API registered", "api", version.name(), "service", ours.place());
        }
      }
      case Step.Renew renew -> {
        if (services.change(version, found.orElseThrow(), ours, Optional.empty())) {
          Log.info("API registration renewed", "api", version.name());
        }
      }
      case Step.TakeOver over -> {
        if (services.change(version, found.orElseThrow(), ours, Optional.of(over.former()))) {
          taken.merge(version.name(), 1, Integer::sum);
          Log.warn("API taken over", "api", version.name(), "from", over.former().place());
          return Optional.of(over.former());
        }
      }
      case Step.Refuse refuse -> {
        conflicts.add(conflict(version.name(), refuse.owner()));
        return Optional.empty();
      }
    }
    return former;
  }

  private String conflict(String api, String owner) {
    String cure =
        plan.takesOver()
            ? taken.getOrDefault(api, 0) >= ATTEMPTS
                ? "it was taken over twice and taken back: stop whoever does that, or leave this"
                    + " API out of --metrics-apis"
                : "leave this API out of --metrics-apis"
            : "leave this API out of --metrics-apis, remove that APIService, or take it over with"
                + " --take-over-metrics-apis";
    return api + " is answered by " + owner + "; " + cure;
  }
}
