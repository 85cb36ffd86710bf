package dev.fallow.rig;

import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * A real Kubernetes cluster without machines: the true servers as child processes, and KWOK in the
 * place of the kubelets.
 *
 * <pre>{@code
 * try (Rig rig = Rig.builder().everything().user("alice", "team-a").start()) {
 *   rig.admin().createNode(RigNode.named("n1").gpus(8));
 *   ...
 * }
 * }</pre>
 *
 * <p>All of it ends with {@link #close}, at the latest with the JVM. The folder with the logs goes
 * too, unless a server died, the start failed, {@link #keepFiles} was called or {@link
 * RigFailureReport} saw a test fail.
 */
public final class Rig implements AutoCloseable {
  private static final Duration SEEN_LIMIT = Duration.ofMinutes(1);
  private static final int REWRITE_ATTEMPTS = 20;

  private final RigFolder folder = new RigFolder("fallow-rig-");
  private final Map<Part, RigProcess> processes = new EnumMap<>(Part.class);
  private final Map<String, RigUser> users;
  private final ControlPlane controlPlane;
  private final HttpClient http;

  private Rig(RigBinaries binaries, RigOptions options) {
    List<RigUser> all = new ArrayList<>(RigUser.own());
    all.addAll(options.users());
    users = all.stream().collect(Collectors.toMap(RigUser::name, user -> user));
    controlPlane = new ControlPlane(binaries, folder, options);
    controlPlane.writeCertificates();
    folder.write(
        "tokens.csv", all.stream().map(RigUser::tokenFileLine).collect(Collectors.joining()));
    folder.write("audit-policy.yaml", options.auditLevel().policy());
    http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(RigTls.trusting(controlPlane.certificate("ca.crt")))
            .connectTimeout(Duration.ofSeconds(10))
            .build();
  }

  public static RigBuilder builder() {
    return new RigBuilder();
  }

  static Rig start(RigBinaries binaries, RigOptions options) {
    Rig rig = new Rig(binaries, options);
    try {
      rig.startParts(options.parts());
      if (options.crds()) {
        rig.installCrds();
      }
      return rig;
    } catch (RuntimeException e) {
      rig.keepFiles();
      rig.close();
      throw e;
    }
  }

  private void startParts(Set<Part> parts) {
    add(Part.ETCD, new HttpProbe(http, "http", "/health"), controlPlane::etcd).start();
    int etcdPort = process(Part.ETCD).port();
    add(
            Part.API_SERVER,
            new HttpProbe(http, "https", "/readyz"),
            port -> controlPlane.apiServer(port, etcdPort))
        .start();
    Poll.until(
        "namespace default exists",
        SEEN_LIMIT,
        () -> admin().get("/api/v1/namespaces/default").ok());
    if (parts.contains(Part.CONTROLLER_MANAGER)) {
      Path kubeconfig = kubeconfigFor(RigUser.CONTROLLER_MANAGER);
      add(
          Part.CONTROLLER_MANAGER,
          // It calls itself healthy before its controllers run; until then no outage may hit it.
          new HttpProbe(http, "https", "/healthz?verbose", "deployment-controller ok"),
          port -> controlPlane.controllerManager(port, kubeconfig));
    }
    if (parts.contains(Part.SCHEDULER)) {
      Path kubeconfig = kubeconfigFor(RigUser.SCHEDULER);
      add(
          Part.SCHEDULER,
          new HttpProbe(http, "https", "/readyz"),
          port -> controlPlane.scheduler(port, kubeconfig));
    }
    if (parts.contains(Part.KWOK)) {
      Path kubeconfig = kubeconfigFor(RigUser.KWOK);
      add(
          Part.KWOK,
          new HttpProbe(http, "http", "/readyz"),
          port -> controlPlane.kwok(port, kubeconfig));
    }
    List<RigProcess> rest =
        processes.values().stream().filter(process -> !process.running()).toList();
    rest.forEach(RigProcess::launch);
    rest.forEach(RigProcess::awaitReady);
  }

  private RigProcess add(Part part, HttpProbe probe, IntFunction<List<String>> commandOnPort) {
    RigProcess process =
        new RigProcess(part.label(), folder.log(part.label()), commandOnPort, probe);
    processes.put(part, process);
    return process;
  }

  /** One server of the cluster: to stop, kill, freeze or start again. */
  public RigProcess process(Part part) {
    RigProcess process = processes.get(part);
    if (process == null) {
      throw new IllegalArgumentException("this rig was built without " + part);
    }
    return process;
  }

  /** The API server's address. */
  public URI url() {
    return URI.create("https://127.0.0.1:" + process(Part.API_SERVER).port());
  }

  /** The certificate authority of the API server, in PEM. */
  public Path authority() {
    return controlPlane.certificate("ca.crt");
  }

  /** The folder with all keys and certificates, for servers that tests play themselves. */
  public Path certificates() {
    return authority().resolveSibling("");
  }

  /** The folder of this rig; one log per server lies in it. */
  public Path folder() {
    return folder.path();
  }

  /** A client that may do anything. */
  public ApiClient admin() {
    return client(RigUser.ADMIN);
  }

  /** A client of a user named in the builder. */
  public ApiClient client(String user) {
    return new ApiClient(http, this::url, token(user));
  }

  /** The same, by way of a proxy that shows the rig's certificate. */
  public ApiClient client(String user, URI server) {
    return new ApiClient(http, () -> server, token(user));
  }

  /** A client with a true service account token, as a pod would have one. */
  public ApiClient serviceAccountClient(String namespace, String name) {
    return new ApiClient(http, this::url, serviceAccountToken(namespace, name));
  }

  /** The bearer token of a user named in the builder. */
  public String token(String user) {
    RigUser known = users.get(user);
    if (known == null) {
      throw new IllegalArgumentException("the builder was not told of the user " + user);
    }
    return known.token();
  }

  /** A kubeconfig file for a user who may do anything. */
  public Path kubeconfig() {
    return kubeconfigFor(RigUser.ADMIN);
  }

  /** A kubeconfig file for a user named in the builder. */
  public Path kubeconfigFor(String user) {
    return writeKubeconfig(user, token(user));
  }

  /** The same, but for a proxy in front of the API server that shows the rig's certificate. */
  public Path kubeconfigFor(String user, URI server) {
    return writeKubeconfig(user, token(user), server);
  }

  /** A kubeconfig file with a true service account token, as a pod would have one. */
  public Path kubeconfigForServiceAccount(String namespace, String name) {
    return writeKubeconfig(
        "system:serviceaccount:" + namespace + ":" + name, serviceAccountToken(namespace, name));
  }

  /** The same, but for a proxy in front of the API server that shows the rig's certificate. */
  public Path kubeconfigForServiceAccount(String namespace, String name, URI server) {
    return writeKubeconfig(
        "system:serviceaccount:" + namespace + ":" + name,
        serviceAccountToken(namespace, name),
        server);
  }

  private String serviceAccountToken(String namespace, String name) {
    String path = "/api/v1/namespaces/%s/serviceaccounts/%s/token".formatted(namespace, name);
    String request =
        """
        {"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest",
         "spec":{"expirationSeconds":86400}}\
        """;
    return admin().post(path, request).orThrow().json().at("status", "token").text();
  }

  private Path writeKubeconfig(String user, String token) {
    return writeKubeconfig(user, token, url());
  }

  private Path writeKubeconfig(String user, String token, URI server) {
    String authority = folder.read("pki/ca.crt");
    return folder.write(
        "kubeconfig-%s-%d.yaml".formatted(user.replace(':', '-'), server.getPort()),
        new Kubeconfig(server, authority, user, token).yaml());
  }

  /**
   * Defines the custom kinds that GPU workloads come in, as their projects do: Notebook,
   * InferenceService, LeaderWorkerSet, JobSet, RayCluster, PyTorchJob, Rollout and ScaledObject.
   */
  public void installCrds() {
    CustomKinds.install(admin());
  }

  /** What the API server was asked so far. */
  public AuditLog audit() {
    return new AuditLog(controlPlane.auditLog());
  }

  /** Runs kubectl as a user who may do anything, and returns what it prints. */
  public String kubectl(String... arguments) {
    return ShortCommand.run(controlPlane.kubectl(kubeconfig(), List.of(arguments)));
  }

  /**
   * Makes an object look as if created at another time, and returns when the API server says so.
   * Nothing else about the object changes, but watchers see a modification.
   *
   * @param path the object's API path
   */
  public void age(String path, Instant creation) {
    String timestamp = creation.truncatedTo(ChronoUnit.SECONDS).toString();
    Json object = admin().get(path).orThrow().json();
    EtcdStore store =
        new EtcdStore(http, URI.create("http://127.0.0.1:" + process(Part.ETCD).port()));
    for (int attempt = 0; attempt < REWRITE_ATTEMPTS; attempt++) {
      EtcdStore.Stored stored = stored(store, path, object.at("metadata", "uid").text());
      Json aged =
          Json.parse(stored.value()).with(Json.text(timestamp), "metadata", "creationTimestamp");
      if (store.replace(stored, aged.toString())) {
        Poll.until(
            "the API server shows the new age of " + path,
            SEEN_LIMIT,
            () -> creationOf(path).equals(timestamp));
        return;
      }
    }
    throw new RigException(path + " changes too often to be aged");
  }

  private String creationOf(String path) {
    return admin().get(path).orThrow().json().at("metadata", "creationTimestamp").text();
  }

  /** The same key may mean different kinds, so the object's identity decides. */
  private static EtcdStore.Stored stored(EtcdStore store, String path, String uid) {
    for (String key : ResourcePath.parse(path).etcdKeys()) {
      var stored = store.read(key);
      if (stored.isPresent()
          && Json.parse(stored.get().value()).at("metadata", "uid").text().equals(uid)) {
        return stored.get();
      }
    }
    throw new RigException("etcd has no " + path);
  }

  /** Makes the folder with the logs outlive the rig. */
  public void keepFiles() {
    folder.keep();
  }

  /** Ends every server of this rig, and nothing else. */
  @Override
  public void close() {
    List<String> dead =
        processes.values().stream().filter(RigProcess::died).map(RigProcess::name).toList();
    List.copyOf(processes.values()).reversed().forEach(RigProcess::kill);
    http.shutdownNow();
    if (!dead.isEmpty()) {
      folder.keep();
      System.err.println("died on their own: " + dead + "\n" + folder.report());
    }
    folder.release();
  }
}
