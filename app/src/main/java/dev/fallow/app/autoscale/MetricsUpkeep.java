package dev.fallow.app.autoscale;

import dev.fallow.adapters.kubernetes.ClusterAuthentication;
import dev.fallow.adapters.kubernetes.SecretStore;
import dev.fallow.app.log.Log;
import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.ApiRegistration.Owner;
import dev.fallow.server.ServingKeys;
import dev.fallow.server.certificate.ServingSecret;
import dev.fallow.server.metricsapi.FrontProxy;
import dev.fallow.server.metricsapi.MetricsGroup;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps what serving needs: whom to trust as the API server, a certificate that lasts, and the
 * registrations that lead to us. Every replica does the same from the same Secret, so none has to
 * lead; each write fails if another came first.
 */
final class MetricsUpkeep {

  private static final int TRIES = 3;

  private final MetricsPlan plan;
  private final ClusterAuthentication authentication;
  private final SecretStore secrets;
  private final Registrations registrations;
  private final ServingKeys keys;
  private final Map<String, String> said = new HashMap<>();

  private volatile FrontProxy frontProxy = FrontProxy.NONE;
  private volatile Map<MetricsGroup, Owner> former = Map.of();
  private Map<String, String> trusted = Map.of();

  /** Those that signed what is shown. */
  private String authorities = "";

  MetricsUpkeep(
      MetricsPlan plan,
      ClusterAuthentication authentication,
      SecretStore secrets,
      Registrations registrations,
      ServingKeys keys) {
    this.plan = plan;
    this.authentication = authentication;
    this.secrets = secrets;
    this.registrations = registrations;
    this.keys = keys;
  }

  FrontProxy frontProxy() {
    return frontProxy;
  }

  /** Whom to ask for names of an API that we do not know. */
  Optional<Owner> former(MetricsGroup group) {
    return Optional.ofNullable(former.get(group)).or(plan::former);
  }

  boolean ready() {
    return keys.present() && frontProxy.trustsSomebody();
  }

  /** What fails is said once, and tried again the next time; what was known before stays. */
  void turn(Instant now) {
    attempt("front proxy", this::followTrust);
    attempt("certificate", () -> serve(now));
  }

  private void followTrust() {
    Map<String, String> data = authentication.read();
    if (!data.equals(trusted)) {
      FrontProxy next = FrontProxy.of(data);
      if (!next.trustsSomebody()) {
        Log.warn("the API server has no front proxy: start it with --requestheader-client-ca-file");
      }
      frontProxy = next;
      trusted = data;
    }
  }

  private void serve(Instant now) {
    ServingSecret secret = secret(now);
    if (!keys.present() || secret.bundle().equals(authorities)) {
      show(secret);
    }
    // Callers are told of a new authority before they meet it.
    register(new Owner(plan.service(), secret.bundle(), false));
    show(secret);
  }

  private void show(ServingSecret secret) {
    keys.show(secret.serving());
    authorities = secret.bundle();
  }

  private void register(Owner ours) {
    Registrations.Result result = registrations.keep(ours);
    former = Map.copyOf(result.former());
    if (result.conflicts().isEmpty()) {
      said.remove("owner");
    } else {
      say("owner", String.join("; ", result.conflicts()));
    }
  }

  private ServingSecret secret(Instant now) {
    for (int i = 0; i < TRIES; i++) {
      Optional<SecretStore.Stored> stored = secrets.read();
      Optional<ServingSecret> found = stored.flatMap(one -> ServingSecret.read(one.texts()));
      if (stored.isPresent() && found.isEmpty()) {
        throw new Unavailable(
            "certificate",
            "the Secret "
                + plan.service().namespace()
                + "/"
                + MetricsPlan.SECRET
                + " holds no certificate and key that can be read; delete it, and it is made anew",
            false);
      }
      Optional<ServingSecret> next =
          found.isEmpty()
              ? Optional.of(ServingSecret.create(plan.hosts(), now))
              : found.get().successor(plan.hosts(), now);
      if (next.isEmpty()) {
        return found.orElseThrow();
      }
      if (secrets.write(next.get().data(), stored)) {
        Log.info("serving certificate made", "certificate", next.get());
        return next.get();
      }
    }
    throw new Unavailable("certificate", "the Secret with it changes too often", true);
  }

  private void attempt(String part, Runnable work) {
    try {
      work.run();
      said.remove(part);
    } catch (Unavailable failure) {
      say(part, String.valueOf(failure.getMessage()));
    } catch (RuntimeException defect) {
      Log.error("upkeep of the metrics APIs", defect, "part", part);
    }
  }

  private void say(String part, String sentence) {
    if (!sentence.equals(said.put(part, sentence))) {
      Log.warn(sentence, "part", part);
    }
  }
}
