package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ObjectTree;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this process leads. Of several daemons the one that holds the lease acts; the others
 * stand by. The lease saves work and is no fence: two leaders at once do no harm.
 *
 * <p>Only this machine's monotonic clock counts. Another's lease has run out when it has not
 * changed for its whole length since it was first seen so; our own when we have not renewed it in
 * time, whatever became of the request. So neither a clock that jumps nor a network that hangs
 * makes a second leader for long.
 */
public final class LeaderLease implements AutoCloseable {

  /**
   * How long a lease lasts unrenewed, how long its holder acts on it, and how often it is renewed.
   */
  public record Terms(Duration lease, Duration act, Duration renew) {
    public static final Terms USUAL =
        new Terms(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(3));
  }

  /** How soon to ask again for a right that was never there: as the only one we lead meanwhile. */
  private static final Duration UNTIL_ASKED_AGAIN = Duration.ofMinutes(2);

  /** A server that has just started may forbid for a moment what it granted before. */
  private static final int REFUSALS_TO_DOUBT = 10;

  /** A renewal that was under way when we stop may still come between reading and writing. */
  private static final int TRIES_TO_LET_GO = 3;

  private static final Logger LOG = LoggerFactory.getLogger(LeaderLease.class);
  private static final ResourceKind LEASES =
      new ResourceKind("coordination.k8s.io/v1", "Lease", "leases", true);

  /** The API server takes six decimals, no more and no fewer. */
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private final ApiServer api;
  private final String namespace;
  private final String name;
  private final String identity;
  private final Terms terms;
  private final Thread thread;
  private final CountDownLatch firstAnswer = new CountDownLatch(1);

  /** Until when to act, on the monotonic clock; meaningless unless the lease is held. */
  private volatile long actUntil;

  private volatile boolean held;
  private volatile boolean alone;
  private volatile boolean closed;
  private volatile String epoch = "";
  private volatile @Nullable String impediment;

  /** Only the renewing thread's: the other's lease as last seen, and since when. */
  private String observed = "";

  private long observedSince;

  /** Only the renewing thread's: our own lease as last written; to renew it takes no reading. */
  private Optional<ObjectTree> own = Optional.empty();

  /** Only the renewing thread's: whether leases could ever be read, and the refusals since. */
  private boolean granted;

  private int refusals;

  /**
   * @param connection one {@linkplain KubernetesConnection#openForChanges for changes}
   * @param identity names this process among its kind
   */
  public LeaderLease(
      KubernetesConnection connection,
      String namespace,
      String name,
      String identity,
      Terms terms) {
    this.api = connection.api();
    this.namespace = namespace;
    this.name = name;
    this.identity = identity;
    this.terms = terms;
    this.thread = Thread.ofPlatform().daemon().name("lease").unstarted(this::run);
  }

  /** What an account has to be allowed to do before it can be told from others. */
  public static List<AccessCheck.Question> rights(String namespace, String name) {
    return List.of(
        new AccessCheck.Question("get", LEASES.group(), LEASES.plural(), namespace, name),
        new AccessCheck.Question("update", LEASES.group(), LEASES.plural(), namespace, name),
        new AccessCheck.Question("create", LEASES.group(), LEASES.plural(), namespace));
  }

  public LeaderLease start() {
    thread.start();
    return this;
  }

  /** Waits for the first answer of the API server about the lease. */
  public boolean awaitFirstAnswer(Duration limit) {
    try {
      return firstAnswer.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  public boolean leads() {
    return !closed && (alone || (held && actUntil - System.nanoTime() > 0));
  }

  /** Tells this term of leading from every other. */
  public String epoch() {
    return epoch;
  }

  /** Why there is no lease and this process acts as the only one, if so. */
  public Optional<String> impediment() {
    return Optional.ofNullable(impediment);
  }

  private void run() {
    while (!closed) {
      try {
        turn();
      } catch (ApiRefusal refusal) {
        refused(refusal);
      } catch (Unavailable silent) {
        LOG.debug("lease: {}", silent.getMessage());
      } catch (RuntimeException defect) {
        LOG.error("lease", defect);
      }
      try {
        Thread.sleep(alone ? UNTIL_ASKED_AGAIN : terms.renew());
      } catch (InterruptedException stopped) {
        return;
      }
    }
  }

  /** Without the right to leases there can be no second one that is told apart: we are alone. */
  private void refused(ApiRefusal refusal) {
    refusals++;
    if (refusal.forbidden() && (!granted || refusals > REFUSALS_TO_DOUBT)) {
      impediment =
          "leases cannot be used ("
              + refusal.getMessage()
              + "), so this has to be the only instance; grant get, create and update on"
              + " leases.coordination.k8s.io in the namespace "
              + namespace;
      epoch = "alone-" + identity;
      alone = true;
      firstAnswer.countDown();
    } else {
      LOG.debug("lease: {}", refusal.getMessage());
    }
  }

  private void turn() {
    long asked = System.nanoTime();
    Optional<ObjectTree> lease =
        own.or(() -> new ObjectLister(api).get(LEASES, namespace, name, Projection.WHOLE));
    own = Optional.empty();
    if (lease.isEmpty()) {
      if (send(Optional.empty(), 0)) {
        lead(asked, 0);
      }
    } else {
      claim(lease.get(), asked);
    }
    alone = false;
    impediment = null;
    granted = true;
    refusals = 0;
    firstAnswer.countDown();
  }

  private void claim(ObjectTree lease, long asked) {
    String holder = lease.textOr("", "spec", "holderIdentity");
    long transitions = lease.number("spec", "leaseTransitions").orElse(0);
    if (holder.equals(identity)) {
      if (send(Optional.of(lease), transitions)) {
        lead(asked, transitions);
      } else {
        held = false;
      }
      return;
    }
    held = false;
    String seen = holder + "@" + lease.textOr("", "metadata", "resourceVersion");
    if (!seen.equals(observed)) {
      observed = seen;
      observedSince = asked;
    }
    boolean over = holder.isEmpty() || asked - observedSince > terms.lease().toNanos();
    if (over && send(Optional.of(lease), transitions + 1)) {
      lead(asked, transitions + 1);
    }
  }

  private void lead(long asked, long transitions) {
    epoch = transitions + "-" + identity;
    actUntil = asked + terms.act().toNanos();
    held = true;
  }

  private boolean send(Optional<ObjectTree> previous, long transitions) {
    String now = MICROS.format(Instant.now());
    Map<String, Object> spec = new HashMap<>();
    spec.put("holderIdentity", closed ? "" : identity);
    spec.put("leaseDurationSeconds", Math.max(1, terms.lease().toSeconds()));
    spec.put("leaseTransitions", transitions);
    spec.put("renewTime", now);
    spec.put(
        "acquireTime",
        previous
            .filter(lease -> lease.number("spec", "leaseTransitions").orElse(-1) == transitions)
            .flatMap(lease -> lease.text("spec", "acquireTime"))
            .orElse(now));
    Map<String, Object> metadata = new HashMap<>();
    metadata.put("name", name);
    metadata.put("namespace", namespace);
    previous
        .flatMap(lease -> lease.text("metadata", "resourceVersion"))
        .ifPresent(version -> metadata.put("resourceVersion", version));
    String body =
        Json.write(
            Map.of(
                "apiVersion",
                LEASES.apiVersion(),
                "kind",
                "Lease",
                "metadata",
                metadata,
                "spec",
                spec));
    try (ApiReply reply =
        previous.isPresent()
            ? api.put(LEASES.path(namespace, name), body)
            : api.post(LEASES.path(namespace), ApiServer.JSON, ApiServer.JSON, body)) {
      if (reply.status() == 409) {
        return false;
      }
      ApiServer.orRefuse(reply);
      own = Optional.of(ObjectParser.object(reply.body(), Projection.WHOLE));
      return true;
    } catch (IOException cutOff) {
      return true;
    }
  }

  /** Lets go of the lease, so that another can lead at once. */
  @Override
  public void close() {
    boolean led = held;
    closed = true;
    thread.interrupt();
    if (led) {
      try {
        for (int tries = 0; tries < TRIES_TO_LET_GO && !letGo(); tries++) {}
      } catch (ApiRefusal | Unavailable silent) {
        LOG.debug("lease: {}", silent.getMessage());
      }
    }
  }

  /** Whether the lease is another's, or nobody's, by now. */
  private boolean letGo() {
    return new ObjectLister(api)
        .get(LEASES, namespace, name, Projection.WHOLE)
        .filter(lease -> lease.textOr("", "spec", "holderIdentity").equals(identity))
        .map(lease -> send(Optional.of(lease), lease.number("spec", "leaseTransitions").orElse(0)))
        .orElse(true);
  }
}
