package dev.fallow.app.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.core.acknowledge.Keep;
import dev.fallow.core.acknowledge.KeepTerm;
import dev.fallow.server.Rejected;
import dev.fallow.server.Request;
import dev.fallow.server.Router;
import dev.fallow.server.access.Caller;
import dev.fallow.server.access.Door;
import dev.fallow.server.access.Guard;
import dev.fallow.server.fleet.FleetPicture;
import dev.fallow.server.fleet.FleetRoutes;
import dev.fallow.server.fleet.FleetSource;
import dev.fallow.server.fleet.Hands;
import dev.fallow.server.fleet.WorkloadItem;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmailDoorTest {

  private static final String TRAINER = "/api/v1/workloads/ml/Deployment/trainer";

  private final List<String> done = new ArrayList<>();

  private final Hands hands =
      new Hands() {
        @Override
        public Keep keep(WorkloadItem item, KeepTerm term, String reason, Caller caller) {
          done.add("keep");
          return new Keep(term.end(Instant.EPOCH), caller.name(), reason);
        }

        @Override
        public void endKeep(WorkloadItem item, Caller caller) {
          done.add("end");
        }

        @Override
        public void pause(WorkloadItem item, String reason, Caller caller) {
          done.add("pause");
        }

        @Override
        public void resume(WorkloadItem item, Caller caller) {
          done.add("resume");
        }
      };

  private final FleetSource fleet =
      new FleetSource() {
        @Override
        public FleetPicture picture() {
          return new FleetPicture(
              1,
              Instant.EPOCH,
              List.of(
                  new WorkloadItem(
                      "Deployment/ml/trainer",
                      "ml",
                      "Deployment",
                      "trainer",
                      "IDLE",
                      "IDLE",
                      "",
                      1,
                      1,
                      1,
                      OptionalDouble.empty(),
                      Optional.empty(),
                      Map.of())),
              Map.of(),
              List.of());
        }

        @Override
        public Optional<Map<String, Object>> why(WorkloadItem item) {
          return Optional.empty();
        }
      };

  private final Router router =
      new Router(FleetRoutes.of(fleet, hands, new Guard(new EmailDoor(""))));

  private void ask(String method, String part, String body) {
    String address =
        Base64.getUrlEncoder().encodeToString("eve@example.com".getBytes(StandardCharsets.UTF_8));
    router.answer(
        Request.of(
            method,
            URI.create(TRAINER + part),
            Map.of(
                "Cookie",
                "fallow-email=" + address.replace("=", ""),
                "X-Requested-With",
                "fallow",
                "Content-Type",
                "application/json"),
            body.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void anAddressThatNobodyChecksSparesAWorkloadAndStopsNone() {
    ask("POST", "/keep", "{\"hours\":4}");
    ask("DELETE", "/keep", "");
    ask("POST", "/resume", "");
    assertThatThrownBy(() -> ask("POST", "/pause", ""))
        .isInstanceOfSatisfying(
            Rejected.class,
            refused -> {
              assertThat(refused.problem().status()).isEqualTo(403);
              assertThat(refused.problem().detail()).contains("--dashboard-auth");
            });
    assertThat(done).containsExactly("keep", "end", "resume");
  }

  private static void come(Door door, String host) {
    Request request = Request.of("GET", URI.create("/"), Map.of("Host", host), new byte[0]);
    assertThat(door.reader(request).isNobody()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost:8080", "127.0.0.1", "10.2.3.4:8080", "[fd00::1]:8080", "gpus.example"})
  void thePageIsOpenedByAnAddressOrAsItIsCalled(String host) {
    come(new EmailDoor("https://gpus.example:8443/fallow"), host);
  }

  /** A name that its owner makes lead to this port brings the owner's page along. */
  @ParameterizedTest
  @ValueSource(strings = {"evil.example:8080", "10.2.3.4.evil.example", "gpus.example.evil"})
  void anotherHostsPageIsNobodysToUse(String host) {
    EmailDoor door = new EmailDoor("https://gpus.example");
    assertThatThrownBy(() -> come(door, host))
        .isInstanceOfSatisfying(
            Rejected.class,
            refused -> assertThat(refused.problem().detail()).contains("--dashboard-url"));
    Request signIn =
        Request.of(
            "POST",
            URI.create("/api/v1/session"),
            Map.of("Host", host, "X-Requested-With", "fallow", "Content-Type", "application/json"),
            "{\"email\":\"eve@example.com\"}".getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> new Router(door.routes()).answer(signIn)).isInstanceOf(Rejected.class);
  }
}
