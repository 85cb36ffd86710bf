package dev.fallow.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The command lines of the servers: all that is known about their flags is here. */
final class ControlPlane {
  private final RigBinaries binaries;
  private final RigFolder folder;
  private final RigOptions options;

  ControlPlane(RigBinaries binaries, RigFolder folder, RigOptions options) {
    this.binaries = binaries;
    this.folder = folder;
    this.options = options;
  }

  Path certificate(String name) {
    return folder.path().resolve("pki").resolve(name);
  }

  Path auditLog() {
    return folder.file("audit.jsonl");
  }

  void writeCertificates() {
    List<String> command = controlPlane("certs");
    command.add(folder.file("pki").toString());
    ShortCommand.run(command);
  }

  List<String> etcd(int port) {
    String url = "http://127.0.0.1:" + port;
    List<String> command = controlPlane("etcd");
    command.addAll(
        List.of(
            "--data-dir=" + folder.file("etcd"),
            "--listen-client-urls=" + url,
            "--advertise-client-urls=" + url,
            // There are no peers, so any port will do.
            "--listen-peer-urls=http://127.0.0.1:0",
            "--log-level=warn",
            "--unsafe-no-fsync=" + !options.durable()));
    return with(Part.ETCD, command);
  }

  List<String> apiServer(int port, int etcdPort) {
    List<String> command = controlPlane("apiserver");
    command.addAll(
        List.of(
            "--etcd-servers=http://127.0.0.1:" + etcdPort,
            // JSON instead of protobuf, so that Rig.age can read and rewrite what is stored.
            "--storage-media-type=application/json",
            "--bind-address=127.0.0.1",
            "--secure-port=" + port,
            "--tls-cert-file=" + certificate("apiserver.crt"),
            "--tls-private-key-file=" + certificate("apiserver.key"),
            "--client-ca-file=" + certificate("ca.crt"),
            "--token-auth-file=" + folder.file("tokens.csv"),
            "--authorization-mode=RBAC",
            "--service-cluster-ip-range=10.0.0.0/24",
            "--service-account-issuer=https://kubernetes.default.svc",
            "--service-account-key-file=" + certificate("sa.pub"),
            "--service-account-signing-key-file=" + certificate("sa.key"),
            // Pods need no service account: that of a new namespace may not be there yet.
            "--disable-admission-plugins=ServiceAccount"));
    command.addAll(
        List.of(
            "--requestheader-client-ca-file=" + certificate("front-proxy-ca.crt"),
            "--requestheader-allowed-names=front-proxy-client",
            "--requestheader-username-headers=X-Remote-User",
            "--requestheader-group-headers=X-Remote-Group",
            "--requestheader-extra-headers-prefix=X-Remote-Extra-",
            "--proxy-client-cert-file=" + certificate("front-proxy-client.crt"),
            "--proxy-client-key-file=" + certificate("front-proxy-client.key"),
            "--audit-policy-file=" + folder.file("audit-policy.yaml"),
            "--audit-log-path=" + auditLog(),
            // In megabytes: a log that is never rotated is read as one file.
            "--audit-log-maxsize=100000"));
    return with(Part.API_SERVER, command);
  }

  List<String> controllerManager(int port, Path kubeconfig) {
    List<String> command = controlPlane("controller-manager");
    command.addAll(secureServing(port, kubeconfig));
    command.addAll(
        List.of(
            "--kubeconfig=" + kubeconfig,
            "--kube-api-qps=500",
            "--kube-api-burst=1000",
            "--leader-elect=false",
            "--use-service-account-credentials=true",
            "--service-account-private-key-file=" + certificate("sa.key"),
            "--root-ca-file=" + certificate("ca.crt"),
            "--controllers=" + options.controllers()));
    return with(Part.CONTROLLER_MANAGER, command);
  }

  List<String> scheduler(int port, Path kubeconfig) {
    Path config =
        folder.write(
            "scheduler.yaml",
            """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            leaderElection:
              leaderElect: false
            clientConnection:
              kubeconfig: %s
              qps: 500
              burst: 1000
            """
                .formatted(kubeconfig));
    List<String> command = controlPlane("scheduler");
    command.addAll(secureServing(port, kubeconfig));
    command.add("--config=" + config);
    return with(Part.SCHEDULER, command);
  }

  List<String> kwok(int port, Path kubeconfig) {
    List<String> command = new ArrayList<>();
    command.add(binaries.kwok().toString());
    command.addAll(
        List.of(
            "--kubeconfig=" + kubeconfig,
            "--config=" + (options.endless() ? withoutEnds(binaries.stages()) : binaries.stages()),
            "--manage-all-nodes",
            "--node-ip=127.0.0.1",
            "--server-address=127.0.0.1:" + port));
    return with(Part.KWOK, command);
  }

  private Path withoutEnds(Path stages) {
    try {
      return folder.write(
          "stages.yaml",
          Arrays.stream(Files.readString(stages).split("(?m)^---$"))
              .filter(stage -> !stage.contains("name: pod-complete"))
              .collect(Collectors.joining("---")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<String> kubectl(Path kubeconfig, List<String> arguments) {
    List<String> command = controlPlane("kubectl");
    command.add("--kubeconfig=" + kubeconfig);
    command.addAll(arguments);
    return command;
  }

  /** Serving with the API server's certificate spares these servers one of their own. */
  private List<String> secureServing(int port, Path kubeconfig) {
    return List.of(
        "--bind-address=127.0.0.1",
        "--secure-port=" + port,
        "--tls-cert-file=" + certificate("apiserver.crt"),
        "--tls-private-key-file=" + certificate("apiserver.key"),
        "--authentication-kubeconfig=" + kubeconfig,
        "--authorization-kubeconfig=" + kubeconfig);
  }

  private List<String> controlPlane(String part) {
    return new ArrayList<>(List.of(binaries.controlPlane().toString(), part));
  }

  private List<String> with(Part part, List<String> command) {
    command.addAll(options.flags(part));
    return command;
  }
}
