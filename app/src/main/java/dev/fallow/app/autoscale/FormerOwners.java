package dev.fallow.app.autoscale;

import dev.fallow.adapters.kubernetes.AccountTokens;
import dev.fallow.adapters.metricsapi.OtherMetricsApi;
import dev.fallow.app.Remembered;
import dev.fallow.core.autoscale.ApiRegistration.Owner;
import dev.fallow.server.Reply;
import dev.fallow.server.metricsapi.FormerOwner;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Those who had an API before us, each asked over a connection that is kept. */
final class FormerOwners {

  private static final Duration TOKEN_VALIDITY = Duration.ofHours(1);
  private static final Duration TOKEN_USED = Duration.ofMinutes(30);

  private final AccountTokens accounts;
  private final String namespace;
  private final Remembered<String> token = new Remembered<>(1);
  private final Map<Owner, OtherMetricsApi> known = new ConcurrentHashMap<>();

  /**
   * @param namespace of the account as which they are asked
   */
  FormerOwners(AccountTokens accounts, String namespace) {
    this.accounts = accounts;
    this.namespace = namespace;
  }

  FormerOwner of(Owner owner) {
    return (path, query) -> {
      OtherMetricsApi.Answer answer =
          known
              .computeIfAbsent(owner, one -> OtherMetricsApi.of(one, this::token))
              .get(path, query);
      return Reply.of(answer.status(), "application/json", answer.body());
    };
  }

  private String token() {
    return token.get(
        "",
        () -> accounts.of(namespace, MetricsPlan.PASSING_ACCOUNT, TOKEN_VALIDITY),
        any -> TOKEN_USED);
  }
}
