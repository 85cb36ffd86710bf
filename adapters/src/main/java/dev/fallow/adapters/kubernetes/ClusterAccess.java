package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds server and credentials in kubectl's order: the file that was named, the files of
 * KUBECONFIG, the one in the home folder, and inside a pod its own service account. The client
 * library's own search differs (it takes a server from the environment, and falls back silently
 * when a context does not exist), so only its reading of files is used.
 */
final class ClusterAccess {

  private static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  private final ConnectionOptions options;
  private final Path account;

  ClusterAccess(ConnectionOptions options) {
    this(options, ACCOUNT);
  }

  /**
   * @param account where a pod finds the files of its service account
   */
  ClusterAccess(ConnectionOptions options, Path account) {
    this.options = options;
    this.account = account;
  }

  /** Reads files and, where the kubeconfig asks for it, runs its credential plugin. */
  Config find() {
    List<Path> files = files();
    Config config = isOfPod(files) ? ownAccount() : fromFiles(files);
    proxies(config);
    return config;
  }

  /** Whether there is nothing to go by but a pod's own account. */
  boolean isOfPod() {
    return isOfPod(files());
  }

  private boolean isOfPod(List<Path> files) {
    return files.isEmpty() && options.kubeconfig().isEmpty();
  }

  private List<Path> files() {
    if (options.kubeconfig().isPresent()) {
      Path named = options.kubeconfig().get();
      if (!Files.isReadable(named)) {
        throw impossible("the kubeconfig file " + named + " cannot be read; check --kubeconfig");
      }
      return List.of(named);
    }
    String listed = variable("KUBECONFIG");
    Stream<Path> candidates =
        listed.isEmpty()
            ? Stream.of(Path.of(home(), ".kube", "config"))
            : Stream.of(listed.split(File.pathSeparator))
                .filter(entry -> !entry.isEmpty())
                .map(Path::of);
    return candidates.filter(Files::isRegularFile).toList();
  }

  private Config fromFiles(List<Path> files) {
    List<io.fabric8.kubernetes.api.model.Config> parsed = new ArrayList<>();
    for (Path file : files) {
      parse(file).ifPresent(parsed::add);
    }
    String context = contextAmong(parsed, files);
    parsed.forEach(ClusterAccess::withSchemes);
    Config config = Config.empty();
    try {
      KubeConfigUtils.merge(
          config, context, parsed.toArray(io.fabric8.kubernetes.api.model.Config[]::new));
    } catch (KubernetesClientException failed) {
      throw new Unavailable(
          "kubernetes",
          "the credentials of the context "
              + context
              + " cannot be had: "
              + ApiProblem.reasonOf(failed),
          false,
          failed);
    }
    Optional<NamedAuthInfo> user = user(parsed, config);
    user.ifPresent(named -> whatTheLibraryLeavesOut(named, config));
    user.flatMap(named -> withoutCredentials(named.getUser(), config))
        .ifPresent(what -> {
          throw impossible("the credentials of the context " + context + " cannot be had: " + what);
        });
    return config;
  }

  /**
   * As kubectl does: https where the kubeconfig says whom to trust. The library would try, and
   * without an answer send the credentials in the open.
   */
  private static void withSchemes(io.fabric8.kubernetes.api.model.Config file) {
    boolean certified =
        orEmpty(file.getUsers()).stream()
            .map(NamedAuthInfo::getUser)
            .anyMatch(user ->
                user != null
                    && (isSet(user.getClientCertificate())
                        || isSet(user.getClientCertificateData())));
    for (NamedCluster named : orEmpty(file.getClusters())) {
      Cluster cluster = named.getCluster();
      if (cluster != null && isSet(cluster.getServer()) && !cluster.getServer().contains("://")) {
        boolean secured =
            certified
                || isSet(cluster.getCertificateAuthority())
                || isSet(cluster.getCertificateAuthorityData())
                || Boolean.TRUE.equals(cluster.getInsecureSkipTlsVerify());
        cluster.setServer((secured ? "https://" : "http://") + cluster.getServer());
      }
    }
  }

  /** The library logs what fails, and goes on as nobody. */
  private static Optional<String> withoutCredentials(AuthInfo user, Config config) {
    boolean any =
        isSet(config.getAutoOAuthToken())
            || isSet(config.getOauthToken())
            || isSet(config.getClientCertData())
            || isSet(config.getClientCertFile());
    if (user.getExec() != null && !any) {
      return Optional.of(
          "its plugin "
              + user.getExec().getCommand()
              + " gives none; run it by hand to see why"
              + (isSet(user.getExec().getInstallHint())
                  ? ": " + user.getExec().getInstallHint()
                  : ""));
    }
    return Optional.empty();
  }

  private static boolean isSet(@Nullable String text) {
    return text != null && !text.isEmpty();
  }

  /** An empty file says nothing, as with kubectl. */
  private static Optional<io.fabric8.kubernetes.api.model.Config> parse(Path file) {
    try {
      return Files.readString(file).isBlank()
          ? Optional.empty()
          : Optional.of(KubeConfigUtils.parseConfig(file.toFile()));
    } catch (IOException | RuntimeException unreadable) {
      throw new Unavailable(
          "kubernetes", file + " is not a kubeconfig file; mend or remove it", false, unreadable);
    }
  }

  private String contextAmong(
      List<io.fabric8.kubernetes.api.model.Config> parsed, List<Path> files) {
    List<String> known =
        parsed.stream()
            .flatMap(file -> orEmpty(file.getContexts()).stream())
            .map(NamedContext::getName)
            .distinct()
            .toList();
    Optional<String> wanted =
        options
            .context()
            .or(() ->
                parsed.stream()
                    .map(file -> Objects.requireNonNullElse(file.getCurrentContext(), ""))
                    .filter(name -> !name.isEmpty())
                    .findFirst());
    String where = String.join(", ", files.stream().map(Path::toString).toList());
    if (wanted.isEmpty()) {
      throw impossible(
          where + " names no current context; choose one with --context: " + choice("", known));
    }
    if (!known.contains(wanted.get())) {
      String sentence =
          "there is no context "
              + wanted.get()
              + " in "
              + where
              + "; there are: "
              + choice(wanted.get(), known);
      // A current context that is not there is the file's fault, not the caller's.
      throw options.context().isPresent() ? new UnknownContext(sentence) : impossible(sentence);
    }
    return wanted.get();
  }

  /** Those that look most like the wanted one first, and not hundreds of them. */
  private static String choice(String wanted, List<String> known) {
    if (known.isEmpty()) {
      return "none";
    }
    List<String> nearest =
        known.stream()
            .sorted(
                Comparator.<String>comparingInt(name -> distance(wanted, name))
                    .thenComparing(Comparator.naturalOrder()))
            .limit(8)
            .toList();
    int more = known.size() - nearest.size();
    return String.join(", ", nearest) + (more > 0 ? " and " + more + " more" : "");
  }

  /** How many letters have to change (Levenshtein). */
  private static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int above = row[j];
        int change = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(Math.min(row[j - 1], above) + 1, diagonal + change);
        diagonal = above;
      }
    }
    return row[other.length()];
  }

  private static Optional<NamedAuthInfo> user(
      List<io.fabric8.kubernetes.api.model.Config> parsed, Config config) {
    String name = Objects.requireNonNullElse(config.getCurrentContext().getContext().getUser(), "");
    return parsed.stream()
        .flatMap(file -> orEmpty(file.getUsers()).stream())
        .filter(user -> user.getName().equals(name) && user.getUser() != null)
        .findFirst();
  }

  private static void whatTheLibraryLeavesOut(NamedAuthInfo named, Config config) {
    AuthInfo user = named.getUser();
    if (user.getTokenFile() != null && !user.getTokenFile().isEmpty()) {
      File kubeconfig = KubeConfigUtils.getFileWithNamedAuthInfo(config.getCurrentContext());
      Path asNamed = Path.of(user.getTokenFile());
      Path token = kubeconfig == null ? asNamed : kubeconfig.toPath().resolveSibling(asNamed);
      if (!Files.isReadable(token)) {
        throw impossible(
            "the token file " + token + " that the kubeconfig names cannot be read; make it anew");
      }
      config.setOauthTokenProvider(new TokenFile(token));
    }
    if (user.getAs() != null && !user.getAs().isEmpty()) {
      config.setImpersonateUsername(user.getAs());
      config.setImpersonateGroups(orEmpty(user.getAsGroups()).toArray(String[]::new));
    }
  }

  private Config ownAccount() {
    Path token = account.resolve("token");
    String host = variable("KUBERNETES_SERVICE_HOST");
    if (host.isEmpty() || !Files.isReadable(token)) {
      String listed = variable("KUBECONFIG");
      throw impossible(
          listed.isEmpty()
              ? "there is no kubeconfig; name one with --kubeconfig or the variable KUBECONFIG, or"
                  + " run in a pod with a service account"
              : "there is no file "
                  + String.join(" or ", listed.split(File.pathSeparator))
                  + ", which the variable KUBECONFIG names; mend it, or name a kubeconfig with"
                  + " --kubeconfig");
    }
    if (options.context().isPresent()) {
      throw new UnknownContext("a context is one of a kubeconfig, and there is none");
    }
    Config config = Config.empty();
    String address = host.contains(":") ? "[" + host + "]" : host;
    config.setMasterUrl("https://" + address + ":" + variableOr("443", "KUBERNETES_SERVICE_PORT"));
    config.setCaCertFile(account.resolve("ca.crt").toString());
    config.setOauthTokenProvider(new TokenFile(token));
    config.setNamespace(TokenFile.firstLine(account.resolve("namespace")).orElse("default"));
    return config;
  }

  /** Those of the environment, unless the kubeconfig names one. */
  private void proxies(Config config) {
    if (config.getHttpsProxy() == null && config.getHttpProxy() == null) {
      String https = variableOr(variable("https_proxy"), "HTTPS_PROXY");
      String http = variableOr(variable("http_proxy"), "HTTP_PROXY");
      config.setHttpsProxy(https.isEmpty() ? null : https);
      config.setHttpProxy(http.isEmpty() ? null : http);
    }
    config.setNoProxy(
        Stream.of(variableOr(variable("no_proxy"), "NO_PROXY").split(","))
            .map(entry -> entry.strip().replaceFirst("^\\*\\.?", "."))
            .filter(entry -> entry.matches("[0-9a-zA-Z.\\-/:]+"))
            .toArray(String[]::new));
  }

  private String home() {
    return variableOr(System.getProperty("user.home", "."), "HOME");
  }

  private String variable(String name) {
    return variableOr("", name);
  }

  private String variableOr(String otherwise, String name) {
    String value = options.environment().getOrDefault(name, "");
    return value.isEmpty() ? otherwise : value;
  }

  private static <T> List<T> orEmpty(List<T> list) {
    return list == null ? List.of() : list;
  }

  private static Unavailable impossible(String sentence) {
    return new Unavailable("kubernetes", sentence, false);
  }
}
