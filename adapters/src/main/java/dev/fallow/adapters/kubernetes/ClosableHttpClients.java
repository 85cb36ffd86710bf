package dev.fallow.adapters.kubernetes;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.InetAddress;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * Makes the JDK clients that the Kubernetes client speaks through, and remembers them: one that is
 * left open holds its sockets until garbage collection and delays the end of the process by 300 ms.
 */
final class ClosableHttpClients extends JdkHttpClientFactory implements AutoCloseable {

  private final List<HttpClient> clients = new CopyOnWriteArrayList<>();

  @Override
  protected HttpClient.Builder createNewHttpClientBuilder() {
    return new Remembering(HttpClient.newBuilder(), clients);
  }

  /** The token would travel along to wherever a redirect points; no API server needs one. */
  @Override
  protected void additionalConfig(HttpClient.Builder builder) {
    builder.followRedirects(HttpClient.Redirect.NEVER);
  }

  @Override
  public void close() {
    clients.forEach(HttpClient::shutdownNow);
  }

  private record Remembering(HttpClient.Builder builder, List<HttpClient> clients)
      implements HttpClient.Builder {

    @Override
    public HttpClient build() {
      HttpClient client = builder.build();
      clients.add(client);
      return client;
    }

    @Override
    public HttpClient.Builder cookieHandler(CookieHandler cookies) {
      builder.cookieHandler(cookies);
      return this;
    }

    @Override
    public HttpClient.Builder connectTimeout(Duration limit) {
      builder.connectTimeout(limit);
      return this;
    }

    @Override
    public HttpClient.Builder sslContext(SSLContext context) {
      builder.sslContext(context);
      return this;
    }

    @Override
    public HttpClient.Builder sslParameters(SSLParameters parameters) {
      builder.sslParameters(parameters);
      return this;
    }

    @Override
    public HttpClient.Builder executor(Executor executor) {
      builder.executor(executor);
      return this;
    }

    @Override
    public HttpClient.Builder followRedirects(HttpClient.Redirect policy) {
      builder.followRedirects(policy);
      return this;
    }

    @Override
    public HttpClient.Builder version(HttpClient.Version version) {
      builder.version(version);
      return this;
    }

    @Override
    public HttpClient.Builder priority(int priority) {
      builder.priority(priority);
      return this;
    }

    @Override
    public HttpClient.Builder proxy(ProxySelector proxies) {
      builder.proxy(proxies);
      return this;
    }

    @Override
    public HttpClient.Builder authenticator(Authenticator authenticator) {
      builder.authenticator(authenticator);
      return this;
    }

    @Override
    public HttpClient.Builder localAddress(InetAddress address) {
      builder.localAddress(address);
      return this;
    }
  }
}
