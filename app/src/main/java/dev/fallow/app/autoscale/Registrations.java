package dev.fallow.app.autoscale;

import dev.fallow.adapters.kubernetes.ApiServices;
import dev.fallow.adapters.kubernetes.ApiServices.Registered;
import dev.fallow.adapters.kubernetes.ApiServices.Version;
import dev.fallow.app.log.Log;
import dev.fallow.core.Unavailable;
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
    for (MetricsGroup group : MetricsGroup.values()) {
      if (plan.groups().contains(group)) {
        keep(group, ours, conflicts).ifPresent(owner -> former.put(group, owner));
      } else {
        conflicts.addAll(leftBehind(group, ours));
      }
    }
    return new Result(conflicts, former);
  }

  /** Of an API that was answered once and is not any more: whoever starts us decides about it. */
  private List<String> leftBehind(MetricsGroup group, Owner ours) {
    List<String> found = new ArrayList<>();
    try {
      for (String version : group.versions()) {
        String name = version + "." + group.group();
        services
            .read(name)
            .flatMap(one -> one.current().owner())
            .filter(owner -> owner.place().isSameService(ours.place()))
            .ifPresent(owner -> found.add(leftBehind(name)));
      }
    } catch (Unavailable unreadable) {
      // Nothing is wanted of it, so there need not be a right to read it.
      return List.of();
    }
    return found;
  }

  private static String leftBehind(String api) {
    return "--metrics-apis leaves "
        + api
        + " out, and the API server still asks us for it: kubectl delete apiservice "
        + api;
  }

  /** All versions are read before one is written: whose the API is shows in all of them. */
  private Optional<Owner> keep(MetricsGroup group, Owner ours, List<String> conflicts) {
    List<Version> versions = new ArrayList<>();
    List<Optional<Registered>> found = new ArrayList<>();
    for (String name : group.versions()) {
      Version version = new Version(group.group(), name, 100 * (versions.size() + 1));
      versions.add(version);
      found.add(services.read(version.name()));
    }
    boolean allowed = plan.takesOver() && !isFoughtFor(group);
    ApiRegistration.Plan decided =
        ApiRegistration.plan(
            ours, found.stream().map(one -> one.map(Registered::current)).toList(), allowed);
    for (int i = 0; i < versions.size(); i++) {
      if (!keep(group, versions.get(i), found.get(i), decided.steps().get(i), ours, conflicts)) {
        // Somebody came first: whose the rest is shows the next time.
        break;
      }
    }
    return decided.former();
  }

  private boolean isFoughtFor(MetricsGroup group) {
    return group.versions().stream()
        .anyMatch(name -> taken.getOrDefault(name + "." + group.group(), 0) >= ATTEMPTS);
  }

  /** Whether nobody came first. */
  private boolean keep(
      MetricsGroup group,
      Version version,
      Optional<Registered> found,
      Step step,
      Owner ours,
      List<String> conflicts) {
    switch (step) {
      case Step.Keep kept -> {
        return true;
      }
      case Step.Create create -> {
        boolean done = services.create(version, ours);
        if (done) {
          Log.info("API registered", "api", version.name(), "service", ours.place());
        }
        return done;
      }
      case Step.Renew renew -> {
        boolean done = services.change(version, found.orElseThrow(), ours, Optional.empty());
        if (done) {
          Log.info("API registration renewed", "api", version.name());
        }
        return done;
      }
      case Step.TakeOver over -> {
        boolean done =
            services.change(version, found.orElseThrow(), ours, Optional.of(over.former()));
        if (done) {
          taken.merge(version.name(), 1, Integer::sum);
          Log.warn("API taken over", "api", version.name(), "from", over.former().place());
        }
        return done;
      }
      case Step.Refuse refuse -> {
        conflicts.add(conflict(group, version.name(), found.isPresent(), refuse.owner()));
        return true;
      }
    }
  }

  private String conflict(MetricsGroup group, String api, boolean present, String owner) {
    String cure =
        plan.takesOver()
            ? isFoughtFor(group)
                ? "it was taken over twice and taken back: stop whoever does that, or leave this"
                    + " API out of --metrics-apis"
                : "leave this API out of --metrics-apis"
            : "leave this API out of --metrics-apis, remove that APIService, or take it over with"
                + " --take-over-metrics-apis";
    return present
        ? api + " is answered by " + owner + "; " + cure
        : api
            + " is not registered, since autoscalers would turn to it from "
            + owner
            + ", which answers for another version";
  }
}
