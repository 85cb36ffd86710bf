package dev.fallow.core.autoscale;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Who answers for the versions of a metrics API. A cluster has one backend for each version, and
 * autoscalers speak one of them: whoever comes second, be it with a version that nobody has, takes
 * the API away from everybody who relied on the first.
 */
public final class ApiRegistration {

  private ApiRegistration() {}

  /** A Service and its port: where a backend is reached. */
  public record Place(String namespace, String service, int port) {

    /** The name that its certificate has to bear. */
    public String host() {
      return service + "." + namespace + ".svc";
    }

    /** Whether both are one Service, at whatever port. */
    public boolean isSameService(Place other) {
      return namespace.equals(other.namespace) && service.equals(other.service);
    }

    /** {@code namespace/name:port}. */
    @Override
    public String toString() {
      return namespace + "/" + service + ":" + port;
    }
  }

  /**
   * A backend and how the API server knows it.
   *
   * @param authorities certificates in PEM; empty where the API server was told to check none, or
   *     to trust the system's
   */
  public record Owner(Place place, String authorities, boolean unchecked) {}

  /**
   * The registration as it is.
   *
   * @param owner empty if the API server answers itself
   * @param former whom we have taken it over from
   */
  public record Current(Optional<Owner> owner, Optional<Owner> former) {}

  /** What is to be done. */
  public sealed interface Step {

    /** Nobody has it. */
    record Create() implements Step {}

    /** It is ours and as it should be. */
    record Keep() implements Step {}

    /** It is ours, with other certificates or another port. */
    record Renew() implements Step {}

    record TakeOver(Owner former) implements Step {}

    /** Somebody else's, or that of an API which is: left to them. */
    record Refuse(String owner) implements Step {}
  }

  /**
   * What is to be done about an API.
   *
   * @param steps one for each version
   * @param former whom to ask for names that we do not know
   */
  public record Plan(List<Step> steps, Optional<Owner> former) {
    public Plan {
      steps = List.copyOf(steps);
    }
  }

  /**
   * Decided for all versions of an API together: beside somebody who is left alone nothing is
   * created, since autoscalers would turn to what is new. What is ours already stays, and whoever
   * has the rest is asked for what we do not know.
   *
   * @param versions the registrations as they are, where there are any
   * @param allowed whether another's may be taken over
   */
  public static Plan plan(Owner ours, List<Optional<Current>> versions, boolean allowed) {
    List<Step> steps = new ArrayList<>();
    Optional<Step.Refuse> refused = Optional.empty();
    Optional<Owner> former = Optional.empty();
    Optional<Owner> beside = Optional.empty();
    for (Optional<Current> version : versions) {
      Step step = step(ours, version, allowed);
      steps.add(step);
      if (step instanceof Step.Refuse refuse) {
        refused = refused.or(() -> Optional.of(refuse));
        beside = beside.or(() -> version.flatMap(Current::owner));
      } else if (step instanceof Step.TakeOver over) {
        former = former.or(() -> Optional.of(over.former()));
      } else {
        former = former.or(() -> version.flatMap(Current::former));
      }
    }
    if (refused.isPresent()) {
      Step.Refuse theirs = refused.get();
      steps.replaceAll(
          step -> step instanceof Step.Create || step instanceof Step.TakeOver ? theirs : step);
    }
    // Whoever answers now knows more than who once did. Where nothing is ours nobody asks us, or
    // only who has taken the API from us, and asking them in turn would lead in a circle.
    boolean anyOurs = steps.stream().anyMatch(step -> !(step instanceof Step.Refuse));
    Optional<Owner> asked = anyOurs && beside.isPresent() ? beside : former;
    return new Plan(steps, asked);
  }

  private static Step step(Owner ours, Optional<Current> current, boolean allowed) {
    if (current.isEmpty()) {
      return new Step.Create();
    }
    Optional<Owner> owner = current.get().owner();
    if (owner.isEmpty()) {
      return new Step.Refuse("the API server itself");
    }
    if (owner.get().equals(ours)) {
      return new Step.Keep();
    }
    if (owner.get().place().isSameService(ours.place())) {
      return new Step.Renew();
    }
    return allowed
        ? new Step.TakeOver(owner.get())
        : new Step.Refuse("the Service " + owner.get().place());
  }
}
