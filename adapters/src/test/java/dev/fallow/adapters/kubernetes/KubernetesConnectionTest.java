package dev.fallow.adapters.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.core.Unavailable;
import io.fabric8.kubernetes.client.Config;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubernetesConnectionTest {

  @TempDir Path folder;

  @Test
  void withoutAnyKubeconfigThePersonIsToldWhatToDo() {
    assertThatThrownBy(() -> open(Optional.empty(), Optional.empty(), Map.of("HOME", "/nowhere")))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("there is no kubeconfig")
        .hasMessageContaining("--kubeconfig")
        .satisfies(e -> assertThat(((Unavailable) e).source()).isEqualTo("kubernetes"));
  }

  @Test
  void fileThatIsNamedMustExist() {
    assertThatThrownBy(() -> open(Optional.of(folder.resolve("none")), Optional.empty(), Map.of()))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("none cannot be read");
  }

  @Test
  void fileOfTheVariableThatIsNotThereIsNamed() {
    String one = folder.resolve("one").toString();
    String two = folder.resolve("two").toString();
    assertThatThrownBy(() ->
            open(
                Optional.empty(),
                Optional.empty(),
                Map.of("KUBECONFIG", one + File.pathSeparator + two)))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining(one + " or " + two)
        .hasMessageContaining("KUBECONFIG");
  }

  @Test
  void fileThatIsNoKubeconfigIsNamed() throws IOException {
    Path file = Files.writeString(folder.resolve("broken"), "clusters: [{[");

    assertThatThrownBy(() -> open(Optional.of(file), Optional.empty(), Map.of()))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining(file + " is not a kubeconfig file");
  }

  @Test
  void unknownContextIsAnsweredWithTheNearestOnes() throws IOException {
    Path file = kubeconfig("a", "staging", "https://s:1", "t1", "");

    assertThatThrownBy(() -> open(Optional.of(file), Optional.of("stagin"), Map.of()))
        .isInstanceOf(UnknownContext.class)
        .hasMessageContaining("there is no context stagin")
        .hasMessageContaining("there are: staging");
  }

  @Test
  void currentContextThatIsNotThereIsTheFilesFault() throws IOException {
    Path file = kubeconfig("a", "staging", "https://s:1", "t1", "");
    Files.writeString(
        file, Files.readString(file).replace("current-context: staging", "current-context: gone"));

    assertThatThrownBy(() -> open(Optional.of(file), Optional.empty(), Map.of()))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("there is no context gone")
        .hasMessageContaining("there are: staging");
  }

  @Test
  void withoutCurrentContextTheChoiceIsNamed() throws IOException {
    Path file = kubeconfig("a", "staging", "https://s:1", "t1", "");
    Files.writeString(
        file, Files.readString(file).replace("current-context: staging", "current-context: \"\""));

    assertThatThrownBy(() -> open(Optional.of(file), Optional.empty(), Map.of()))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("choose one with --context: staging");
  }

  @Test
  void severalFilesOfKubeconfigAreMergedAndTheFirstWins() throws IOException {
    Path one = kubeconfig("one", "blue", "https://blue:6443", "blue-token", "ml");
    Path two = kubeconfig("two", "green", "https://green:6443/prefix", "green-token", "");
    Map<String, String> environment =
        Map.of(
            "KUBECONFIG",
            String.join(
                File.pathSeparator,
                one.toString(),
                folder.resolve("gone").toString(),
                "",
                two.toString()),
            "KUBERNETES_MASTER",
            "https://not-kubectl:1");

    try (KubernetesConnection current = open(Optional.empty(), Optional.empty(), environment);
        KubernetesConnection other = open(Optional.empty(), Optional.of("green"), environment)) {
      assertThat(current.server()).hasToString("https://blue:6443/");
      assertThat(current.namespace()).isEqualTo("ml");
      assertThat(current.isOfPod()).isFalse();
      assertThat(current.bearerToken()).contains("blue-token");
      assertThat(current).asString().doesNotContain("token");
      assertThat(other.server()).hasToString("https://green:6443/prefix/");
      assertThat(other.namespace()).isEqualTo("default");
      assertThat(other.bearerToken()).contains("green-token");
    }
  }

  @Test
  void tokenFileIsReadAnewEachTime() throws IOException {
    Path file = kubeconfig("a", "c", "https://s:1", "unused", "");
    Files.writeString(folder.resolve("token"), "first\n");
    Files.writeString(file, Files.readString(file).replace("token: unused", "tokenFile: token"));

    try (KubernetesConnection connection = open(Optional.of(file), Optional.empty(), Map.of())) {
      assertThat(connection.bearerToken()).contains("first");
      Files.writeString(folder.resolve("token"), "second\n");
      assertThat(connection.bearerToken()).contains("second");
    }
  }

  @Test
  void inAPodItsOwnAccountIsUsed() throws IOException {
    Files.writeString(folder.resolve("token"), "of-the-pod");
    Files.writeString(folder.resolve("namespace"), "fallow-system");
    Files.writeString(folder.resolve("ca.crt"), "");

    ClusterAccess access =
        new ClusterAccess(
            new ConnectionOptions(
                Optional.empty(),
                Optional.empty(),
                "test",
                Map.of(
                    "HOME", "/nowhere",
                    "KUBERNETES_SERVICE_HOST", "fd00::1",
                    "KUBERNETES_SERVICE_PORT", "6443")),
            folder);
    Config config = access.find();

    assertThat(access.isOfPod()).isTrue();
    assertThat(config.getMasterUrl()).isEqualTo("https://[fd00::1]:6443/");
    assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("of-the-pod");
    assertThat(config.getNamespace()).isEqualTo("fallow-system");
  }

  @Test
  void emptyKubeconfigSaysNothing() throws IOException {
    Path empty = Files.writeString(folder.resolve("empty"), "\n");
    Path full = kubeconfig("full", "c", "https://s:1", "t", "");

    try (KubernetesConnection connection =
        open(
            Optional.empty(),
            Optional.empty(),
            Map.of("KUBECONFIG", empty + File.pathSeparator + full))) {
      assertThat(connection.server()).hasToString("https://s:1/");
    }
  }

  @Test
  void credentialPluginOfTheKubeconfigIsRun() throws IOException {
    Path file = kubeconfig("a", "c", "https://s:1", "unused", "");
    Files.writeString(
        file,
        Files.readString(file)
            .replace(
                "token: unused",
                """
                exec:
                      apiVersion: client.authentication.k8s.io/v1
                      command: echo
                      args: ['{"apiVersion":"client.authentication.k8s.io/v1","status":{"token":"lent"}}']
                """));

    try (KubernetesConnection connection = open(Optional.of(file), Optional.empty(), Map.of())) {
      assertThat(connection.bearerToken()).contains("lent");
    }
  }

  /** Nobody who answers in the open is sent what proves who we are. */
  @Test
  void whereTheKubeconfigSaysWhomToTrustNothingIsSentInTheOpen() throws IOException {
    try (ServerSocket open = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Path file =
          Files.writeString(
              folder.resolve("bare"),
              """
              current-context: c
              contexts: [{name: c, context: {cluster: k, user: u}}]
              clusters: [{name: k, cluster: {server: "127.0.0.1:%d", insecure-skip-tls-verify: true}}]
              users: [{name: u, user: {token: secret}}]
              """
                  .formatted(open.getLocalPort()));
      Config config =
          new ClusterAccess(
                  new ConnectionOptions(Optional.of(file), Optional.empty(), "test", Map.of()))
              .find();
      assertThat(config.getMasterUrl()).startsWith("https://127.0.0.1:" + open.getLocalPort());
    }
  }

  @Test
  void aPluginThatGivesNothingIsNamed() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("plugin"),
            """
            current-context: c
            contexts: [{name: c, context: {cluster: k, user: u}}]
            clusters: [{name: k, cluster: {server: "https://127.0.0.1:1"}}]
            users:
            - name: u
              user:
                exec: {apiVersion: client.authentication.k8s.io/v1, command: no-such-plugin}
            """);
    assertThatThrownBy(() -> open(Optional.of(file), Optional.empty(), Map.of()))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("context c")
        .hasMessageContaining("no-such-plugin");
  }

  @Test
  void refusedConnectionIsSaidInASentence() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    Path file = kubeconfig("a", "c", "https://127.0.0.1:" + port, "t", "");

    try (KubernetesConnection connection = open(Optional.of(file), Optional.empty(), Map.of())) {
      assertThatThrownBy(() -> new OneShotClusterReader(connection, Optional.empty()).read())
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("refuses the connection")
          .hasMessageContaining("127.0.0.1:" + port)
          .satisfies(e -> assertThat(((Unavailable) e).retryable()).isTrue());
    }
  }

  @Test
  void unknownHostIsSaidInASentence() throws IOException {
    Path file = kubeconfig("a", "c", "https://no-such-host.invalid:6443", "t", "");

    try (KubernetesConnection connection = open(Optional.of(file), Optional.empty(), Map.of())) {
      assertThatThrownBy(() -> new OneShotClusterReader(connection, Optional.empty()).read())
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("nobody knows");
    }
  }

  private static KubernetesConnection open(
      Optional<Path> kubeconfig, Optional<String> context, Map<String, String> environment) {
    return KubernetesConnection.open(
        new ConnectionOptions(kubeconfig, context, "test", environment));
  }

  private Path kubeconfig(
      String file, String context, String server, String token, String namespace)
      throws IOException {
    return Files.writeString(
        folder.resolve(file),
        """
        apiVersion: v1
        kind: Config
        clusters:
        - name: %1$s
          cluster:
            server: %2$s
        users:
        - name: %1$s
          user:
            token: %3$s
        contexts:
        - name: %1$s
          context:
            cluster: %1$s
            user: %1$s
            namespace: "%4$s"
        current-context: %1$s
        """
            .formatted(context, server, token, namespace));
  }
}
