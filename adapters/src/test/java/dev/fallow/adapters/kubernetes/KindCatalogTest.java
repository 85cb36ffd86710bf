package dev.fallow.adapters.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.core.fleet.ObjectId;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.fault.FaultProxy;
import dev.fallow.rig.fault.ProxyFault;
import dev.fallow.rig.fault.Scope;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("rig")
@ExtendWith(RigFailureReport.class)
class KindCatalogTest {

  /** Else a resume would hear for minutes that what it is about is not there. */
  @Test
  void whatCouldNotBeReadIsNotTakenForNothing() {
    try (Rig rig = Rig.builder().start();
        FaultProxy proxy = FaultProxy.inFrontOf(rig);
        KubernetesConnection connection =
            KubernetesConnection.openForChanges(
                new ConnectionOptions(
                    Optional.of(rig.kubeconfigFor("rig-admin", proxy.url())),
                    Optional.empty(),
                    "test",
                    Map.of()))) {
      KindCatalog catalog = new KindCatalog(connection.api());
      ObjectId policy = new ObjectId("policy", "PodDisruptionBudget", "ml", "p", "");
      proxy.start(new ProxyFault.Answer(503), Scope.of("GET", "/apis$").first(1));

      assertThatThrownBy(() -> catalog.of(policy)).isInstanceOf(ApiRefusal.class);
      assertThat(catalog.of(policy)).isPresent();
      assertThat(catalog.scalable()).isEmpty();
    }
  }
}
