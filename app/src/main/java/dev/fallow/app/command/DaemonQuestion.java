package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.ServiceProxy;
import dev.fallow.app.WrongUse;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ObjectTree;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks the daemon in the cluster: at its address, or by way of the API server. */
final class DaemonQuestion {

  private DaemonQuestion() {}

  static ObjectTree ask(Call call, String path) {
    return ServiceProxy.parse(
        text(call, path), call.option("--server").orElse("the daemon in the cluster"));
  }

  /** A path with those parameters that have a value. */
  static String path(String path, Map<String, Optional<?>> parameters) {
    List<String> words = new ArrayList<>();
    parameters.forEach((name, value) ->
        value.ifPresent(text ->
            words.add(name + "=" + URLEncoder.encode(text.toString(), StandardCharsets.UTF_8))));
    return words.isEmpty() ? path : path + "?" + String.join("&", words);
  }

  /** The answer as it came. */
  static String text(Call call, String path) {
    return call.option("--server")
        .map(server -> direct(call, server, path))
        .orElseGet(() -> proxied(call, path));
  }

  private static String direct(Call call, String server, String path) {
    if (!server.matches("https?://.+")) {
      throw new WrongUse(
          "--server: \""
              + server
              + "\" is no address; write "
              + (server.contains("://") ? "http:// or https:// in front" : "http://" + server));
    }
    try (HttpClient client =
        HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build()) {
      URI address = URI.create(server.replaceFirst("/+$", "") + path);
      if (address.getUserInfo() != null) {
        throw new WrongUse("--server: a name or password in the address is not sent; leave it out");
      }
      HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(30));
      boolean safe =
          "https".equals(address.getScheme())
              || "127.0.0.1".equals(address.getHost())
              || "localhost".equals(address.getHost());
      if (safe) {
        token(call).ifPresent(token -> request.header("Authorization", "Bearer " + token));
      }
      HttpResponse<String> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return ServiceProxy.good(answer.statusCode(), answer.body(), server);
    } catch (IllegalArgumentException refused) {
      throw new WrongUse("--server: it takes an address, such as https://fallow.example.org");
    } catch (IOException silent) {
      throw new Unavailable(
          "fallow", server + " does not answer; check --server, or name --ledger", true, silent);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new Unavailable("fallow", "the question was called off", true, stopped);
    }
  }

  /** The kubeconfig's, where there is one: the server wants to know who asks. */
  private static Optional<String> token(Call call) {
    try (LiveCluster cluster = LiveCluster.open(call, Optional.empty())) {
      return cluster.connection().bearerToken();
    } catch (Unavailable noKubeconfig) {
      return Optional.empty();
    }
  }

  private static String proxied(Call call, String path) {
    String[] service = call.option("--service").orElse("fallow-system/fallow").split("/", 2);
    if (service.length != 2) {
      throw new WrongUse("--service: it takes NAMESPACE/NAME");
    }
    try (LiveCluster cluster = LiveCluster.open(call, Optional.empty())) {
      return new ServiceProxy(cluster.connection()).get(service[0], service[1], "dashboard", path);
    }
  }
}
