package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The way to one API server, as one user. Opening it reads files and asks nobody; whether the
 * server answers shows with the first question.
 */
public final class KubernetesConnection implements AutoCloseable {

  private static final int CONNECT_LIMIT_MS = 10_000;
  private static final int REQUEST_LIMIT_MS = 30_000;
  private static final int RETRIES = 2;
  private static final Duration WRITE_LIMIT = Duration.ofSeconds(5);
  private static final int RETRY_PAUSE_MS = 200;

  private final Config config;
  private final boolean ofPod;
  private final ClosableHttpClients httpClients;
  private final KubernetesClient client;
  private final ApiServer api;

  private KubernetesConnection(
      Config config,
      boolean ofPod,
      ClosableHttpClients httpClients,
      KubernetesClient client,
      Optional<Duration> limit) {
    this.config = config;
    this.ofPod = ofPod;
    this.httpClients = httpClients;
    this.client = client;
    this.api =
        limit
            .map(most -> new ApiServer(server(), client.getHttpClient(), most, most))
            .orElseGet(() -> new ApiServer(server(), client.getHttpClient()));
  }

  /**
   * For questions: one that finds no answer is asked again.
   *
   * @throws Unavailable when there is no kubeconfig, or nothing usable in it
   * @throws UnknownContext when it has no context of the name that was asked for
   */
  public static KubernetesConnection open(ConnectionOptions options) {
    return open(options, RETRIES, Optional.empty());
  }

  /**
   * For changes: each is sent once, and given up soon. A change whose answer is lost may have been
   * made; sent again it would meet itself and look refused.
   */
  public static KubernetesConnection openForChanges(ConnectionOptions options) {
    return open(options, 0, Optional.of(WRITE_LIMIT));
  }

  private static KubernetesConnection open(
      ConnectionOptions options, int retries, Optional<Duration> limit) {
    ClusterAccess access = new ClusterAccess(options);
    Config config = access.find();
    config.setUserAgent("fallow/" + options.version());
    config.setConnectionTimeout(CONNECT_LIMIT_MS);
    config.setRequestTimeout(REQUEST_LIMIT_MS);
    config.setRequestRetryBackoffLimit(retries);
    config.setRequestRetryBackoffInterval(RETRY_PAUSE_MS);
    // Under HTTP/2 the JDK's client takes in up to 16 MiB of an answer that nobody has read yet.
    config.setHttp2Disable(true);
    ClosableHttpClients httpClients = new ClosableHttpClients();
    try {
      KubernetesClient client =
          new KubernetesClientBuilder()
              .withConfig(config)
              .withHttpClientFactory(httpClients)
              .build();
      return new KubernetesConnection(config, access.isOfPod(), httpClients, client, limit);
    } catch (KubernetesClientException | IllegalArgumentException unusable) {
      httpClients.close();
      throw new Unavailable(
          "kubernetes",
          "the kubeconfig's entries for "
              + config.getMasterUrl()
              + " cannot be used: "
              + reason(unusable),
          false,
          unusable);
    }
  }

  /** What is no address is not repeated: the proxy's, from the environment, may hold a password. */
  private static String reason(Throwable unusable) {
    for (Throwable cause = unusable; cause != null; cause = cause.getCause()) {
      if (cause instanceof URISyntaxException) {
        return "an address in it, or that of the proxy in HTTPS_PROXY or HTTP_PROXY, is none";
      }
    }
    return ApiProblem.reasonOf(unusable);
  }

  /** The context's namespace, for commands that act in one. */
  public String namespace() {
    String namespace = Objects.requireNonNullElse(config.getNamespace(), "");
    return namespace.isEmpty() ? "default" : namespace;
  }

  /** Whether this is the account of a pod, and no kubeconfig's. */
  public boolean isOfPod() {
    return ofPod;
  }

  public URI server() {
    return URI.create(config.getMasterUrl());
  }

  /** The token that the API server is asked with, if it is one; a secret. */
  public Optional<String> bearerToken() {
    if (config.getOauthTokenProvider() != null) {
      return Optional.of(config.getOauthTokenProvider().getToken()).filter(t -> !t.isEmpty());
    }
    return Stream.of(
            Optional.ofNullable(config.getOauthToken()),
            Optional.ofNullable(config.getAutoOAuthToken()))
        .flatMap(Optional::stream)
        .filter(token -> !token.isEmpty())
        .findFirst();
  }

  ApiServer api() {
    return api;
  }

  @Override
  public void close() {
    client.close();
    httpClients.close();
  }

  /** Without anything secret. */
  @Override
  public String toString() {
    return server().toString();
  }
}
