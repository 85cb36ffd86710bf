package dev.fallow.rig.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fallow.rig.ApiClient;
import dev.fallow.rig.Json;
import dev.fallow.rig.Part;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigException;
import dev.fallow.rig.RigFailureReport;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("rig")
@ExtendWith(RigFailureReport.class)
class FaultProxyOnTheRigTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static Rig rig;
  private static FaultProxy proxy;
  private static ApiClient alice;

  @BeforeAll
  static void start() {
    rig = Rig.builder().user("alice", "system:masters").start();
    proxy = FaultProxy.inFrontOf(rig);
    alice = rig.client("alice", proxy.url());
  }

  @AfterEach
  void heal() {
    proxy.heal();
  }

  @AfterAll
  static void close() {
    proxy.close();
    rig.close();
  }

  @Test
  void requestsPassUnderTheClientsOwnName() {
    alice.post(MAPS, "{\"metadata\":{\"name\":\"passed\"}}").orThrow();

    assertThat(alice.get(MAPS + "/passed").orThrow().json().at("metadata", "name").text())
        .isEqualTo("passed");
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> rig.audit().of("alice").stream().anyMatch(entry -> entry.isWrite()));
  }

  @Test
  void aGuardedWriteWhoseReplyIsLostHasHappenedAndConflictsWhenRepeated() {
    Json made = alice.post(MAPS, "{\"metadata\":{\"name\":\"lost\"}}").orThrow().json();
    String patch =
        "{\"metadata\":{\"resourceVersion\":\"%s\"},\"data\":{\"a\":\"b\"}}"
            .formatted(made.at("metadata", "resourceVersion").text());
    ActiveFault fault =
        proxy.start(new ProxyFault.LoseReply(), Scope.of("PATCH", "/configmaps/lost").first(1));

    assertThatThrownBy(() -> alice.patch(MAPS + "/lost", patch)).isInstanceOf(RigException.class);

    assertThat(fault.effects()).isEqualTo(1);
    assertThat(rig.admin().get(MAPS + "/lost").json().at("data", "a").text()).isEqualTo("b");
    assertThat(alice.patch(MAPS + "/lost", patch).status()).isEqualTo(409);
  }

  @Test
  void aKilledApiServerIsFoundAgainBehindTheProxy() {
    rig.process(Part.API_SERVER).kill();
    assertThatThrownBy(() -> alice.get(MAPS)).isInstanceOf(RigException.class);

    rig.process(Part.API_SERVER).start();

    assertThat(alice.get(MAPS).ok()).isTrue();
  }
}
