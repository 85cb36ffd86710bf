package dev.fallow.core.autoscale;

import java.util.Optional;

/**
 * Who answers for a version of a metrics API. A cluster has one backend for each, so whoever comes
 * second takes it away from everybody who relied on the first.
 */
public final class ApiRegistration {

  private ApiRegistration() {}

  /** A Service and its port: where a backend is reached. */
  public record Place(String namespace, String service, int port) {

    /** The name that its certificate has to bear. */
    public String host() {
      return service + "." + namespace + ".svc";
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

    /** Somebody else's, and left to them. */
    record Refuse(String owner) implements Step {}
  }

  /**
   * @param allowed whether another's may be taken over
   */
  public static Step step(Owner ours, Optional<Current> current, boolean allowed) {
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
    if (isSameService(owner.get().place(), ours.place())) {
      return new Step.Renew();
    }
    return allowed
        ? new Step.TakeOver(owner.get())
        : new Step.Refuse("the Service " + owner.get().place());
  }

  private static boolean isSameService(Place one, Place other) {
    return one.namespace().equals(other.namespace()) && one.service().equals(other.service());
  }
}
