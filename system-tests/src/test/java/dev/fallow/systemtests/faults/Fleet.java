package dev.fallow.systemtests.faults;

import dev.fallow.rig.ApiClient;
import dev.fallow.rig.Json;
import dev.fallow.rig.RigException;
import dev.fallow.systemtests.campaign.GroundTruth;
import dev.fallow.systemtests.campaign.Span;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The workloads as they truly are: which pods they have had, and which GPUs worked when. Where no
 * controller runs a kind's pods, this does what its operator would do.
 */
final class Fleet implements AutoCloseable {
  static final String NODE = "gpu-1";
  static final String LABEL = "resident";
  private static final long BEAT_MILLIS = 300;

  /**
   * A pod from its first sight to its end.
   *
   * @param owner the UID of what it was made for
   */
  private record Seen(
      Resident resident, String name, String owner, Instant started, Instant ended) {
    Seen until(Instant end) {
      return new Seen(resident, name, owner, started, end);
    }
  }

  private final ApiClient api;
  private final ApiClient operator;
  private final List<Resident> residents;
  private final Map<String, Seen> pods = new ConcurrentHashMap<>();
  private final Map<Resident, List<Span>> work = new ConcurrentHashMap<>();
  private final AtomicInteger made = new AtomicInteger();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory());

  Fleet(ApiClient api, ApiClient operator, List<Resident> residents) {
    this.api = api;
    this.operator = operator;
    this.residents = residents;
  }

  /** Begins to look after the pods. */
  void start() {
    clock.scheduleWithFixedDelay(this::beat, 0, BEAT_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void beat() {
    try {
      look();
      Map<String, Json> objects = operated();
      residents.stream()
          .filter(Resident::isCustom)
          .forEach(resident -> operate(resident, read(objects, resident.path())));
      residents.stream()
          .filter(resident -> !resident.scaler().isEmpty())
          .forEach(resident ->
              scale(
                  resident, read(objects, resident.targetPath()), read(objects, resident.path())));
    } catch (RigException e) {
      // An outage: nothing begins or ends without the API server.
    }
  }

  private void look() {
    List<Json> listed =
        api.get("/api/v1/pods?resourceVersion=0&labelSelector=" + LABEL)
            .orThrow()
            .json()
            .at("items")
            .items();
    Instant now = Instant.now();
    Map<String, Json> there = new ConcurrentHashMap<>();
    for (Json pod : listed) {
      there.put(pod.at("metadata", "uid").text(), pod);
    }
    there.forEach((uid, pod) -> {
      Json state = pod.at("status", "containerStatuses");
      String started =
          state.items().isEmpty()
              ? ""
              : state.items().getFirst().at("state", "running", "startedAt").text();
      residentOf(pod)
          .filter(resident -> !started.isEmpty())
          .ifPresent(resident ->
              pods.putIfAbsent(
                  uid,
                  new Seen(
                      resident,
                      pod.at("metadata", "name").text(),
                      ownerOf(pod),
                      Instant.parse(started),
                      Instant.MAX)));
    });
    pods.replaceAll((uid, seen) ->
        seen.ended().equals(Instant.MAX) && !there.containsKey(uid) ? seen.until(now) : seen);
  }

  private static String ownerOf(Json pod) {
    List<Json> owners = pod.at("metadata", "ownerReferences").items();
    return owners.isEmpty() ? "" : owners.getFirst().at("uid").text();
  }

  private Optional<Resident> residentOf(Json pod) {
    String name = pod.at("metadata", "labels", LABEL).text();
    String namespace = pod.at("metadata", "namespace").text();
    return residents.stream()
        .filter(one -> one.name().equals(name) && one.namespace().equals(namespace))
        .findFirst();
  }

  /**
   * The objects that operators look after, by their paths: a list of each kind from the API
   * server's cache, so that looking often costs little.
   */
  private Map<String, Json> operated() {
    Map<String, Json> objects = new HashMap<>();
    residents.stream()
        .filter(resident -> resident.isCustom() || !resident.scaler().isEmpty())
        .flatMap(resident -> Stream.of(resident.path(), resident.targetPath()))
        .map(Fleet::collectionOf)
        .distinct()
        .forEach(collection -> {
          Json list = operator.get(collection + "?resourceVersion=0").orThrow().json();
          for (Json object : list.at("items").items()) {
            objects.put(collection + "/" + object.at("metadata", "name").text(), object);
          }
        });
    return objects;
  }

  private static String collectionOf(String path) {
    return path.substring(0, path.lastIndexOf('/'));
  }

  private static Json read(Map<String, Json> objects, String path) {
    return objects.getOrDefault(path, Json.parse("{}"));
  }

  /** Pods go when their object is stopped or was made anew, and come when it is not. */
  private void operate(Resident resident, Json object) {
    String uid = object.at("metadata", "uid").text();
    if (uid.isEmpty()) {
      return;
    }
    String pods = "/api/v1/namespaces/" + resident.namespace() + "/pods";
    boolean stopped = resident.isStopped(object);
    alive(resident)
        .filter(pod -> stopped || !pod.owner().equals(uid))
        .forEach(pod -> operator.delete(pods + "/" + pod.name()));
    if (!stopped
        && alive(resident).findAny().isEmpty()
        && operator
            .get(pods + "?labelSelector=" + LABEL + "=" + resident.name())
            .orThrow()
            .json()
            .at("items")
            .items()
            .isEmpty()) {
      String name = resident.name() + "-" + made.incrementAndGet();
      operator.post(pods, resident.podJson(name, object));
    }
  }

  /** KEDA, as far as its pause goes. */
  private void scale(Resident resident, Json scaler, Json target) {
    if (scaler.at("spec").isMissing() || target.at("spec").isMissing()) {
      return;
    }
    int wanted = resident.isStopped(scaler) ? 0 : resident.replicas();
    if (target.at("spec", "replicas").number() != wanted) {
      operator.patch(resident.path(), "{\"spec\":{\"replicas\":%d}}".formatted(wanted));
    }
  }

  private Stream<Seen> alive(Resident resident) {
    return pods.values().stream()
        .filter(seen -> seen.resident().equals(resident) && seen.ended().equals(Instant.MAX));
  }

  /** Whether all its pods have been there for long enough to be judged. */
  boolean isRipe(Resident resident, Instant startedBefore) {
    return alive(resident).count() >= resident.replicas()
        && alive(resident).allMatch(seen -> seen.started().isBefore(startedBefore));
  }

  /** Lets the first GPU of each of its pods work for a while. */
  void works(Resident resident, Span when) {
    work.computeIfAbsent(resident, any -> new CopyOnWriteArrayList<>()).add(when);
  }

  /** Whether a GPU works at a moment. */
  private boolean isAtWork(Seen pod, int gpu, Instant at) {
    return spans(pod, gpu).stream().anyMatch(span -> span.contains(at));
  }

  private List<Span> spans(Seen pod, int gpu) {
    Resident resident = pod.resident();
    if (resident.team() == Resident.Team.BUSY) {
      boolean oneOfSome =
          resident.gpus() > 1 ? gpu == resident.gpus() - 1 : pod.name().endsWith("-0");
      return oneOfSome ? List.of(Span.since(Instant.EPOCH)) : List.of();
    }
    return gpu == 0 ? List.copyOf(work.getOrDefault(resident, List.of())) : List.of();
  }

  private static String device(Seen pod, int gpu) {
    return "GPU-" + pod.name() + "-" + gpu;
  }

  /**
   * What an exporter shows now.
   *
   * @param lie turns what is true of a device that works into what is shown; null hides it
   */
  String exposition(Function<String, Optional<String>> lie) {
    Instant now = Instant.now();
    StringBuilder text = new StringBuilder("# TYPE DCGM_FI_DEV_GPU_UTIL gauge\n");
    pods.values().stream()
        .filter(seen -> seen.ended().equals(Instant.MAX))
        .forEach(pod -> {
          for (int gpu = 0; gpu < pod.resident().gpus(); gpu++) {
            String truth = isAtWork(pod, gpu, now) ? "80" : "0";
            Optional<String> shown = truth.equals("0") ? Optional.of(truth) : lie.apply(truth);
            int card = gpu;
            shown.ifPresent(value ->
                text.append(
                    String.format(
                        Locale.ROOT,
                        "DCGM_FI_DEV_GPU_UTIL{gpu=\"%d\",UUID=\"%s\",Hostname=\"%s\",modelName=\"NVIDIA"
                            + " A100-SXM4-80GB\",namespace=\"%s\",pod=\"%s\",container=\"main\"}"
                            + " %s%n",
                        card,
                        device(pod, card),
                        NODE,
                        pod.resident().namespace(),
                        pod.name(),
                        value)));
          }
        });
    return text.toString();
  }

  /** All that has been true since a moment. */
  GroundTruth truth(Instant since) {
    return new GroundTruth(residents.stream().map(resident -> truth(resident, since)).toList());
  }

  private GroundTruth.TrueWorkload truth(Resident resident, Instant since) {
    List<GroundTruth.TruePod> all = new ArrayList<>();
    pods.values().stream()
        .filter(seen -> seen.resident().equals(resident) && seen.ended().isAfter(since))
        .forEach(seen -> {
          List<GroundTruth.TrueGpu> gpus = new ArrayList<>();
          for (int gpu = 0; gpu < resident.gpus(); gpu++) {
            gpus.add(new GroundTruth.TrueGpu(device(seen, gpu), spans(seen, gpu)));
          }
          all.add(
              new GroundTruth.TruePod(seen.name(), new Span(seen.started(), seen.ended()), gpus));
        });
    boolean exempt = resident.team() == Resident.Team.EXEMPT;
    return new GroundTruth.TrueWorkload(
        resident.ref(),
        resident.title(),
        List.of(resident.target()),
        all,
        exempt ? List.of(Span.since(Instant.EPOCH)) : List.of(),
        true);
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
