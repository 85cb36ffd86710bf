package dev.fallow.core.autoscale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.autoscale.ApiRegistration.Current;
import dev.fallow.core.autoscale.ApiRegistration.Owner;
import dev.fallow.core.autoscale.ApiRegistration.Place;
import dev.fallow.core.autoscale.ApiRegistration.Step;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ApiRegistrationTest {

  private static final Owner OURS = owner("fallow-system", "fallow-metrics", 443, "new");
  private static final Owner ADAPTER = owner("monitoring", "prometheus-adapter", 443, "");

  private static Owner owner(String namespace, String service, int port, String authorities) {
    return new Owner(new Place(namespace, service, port), authorities, false);
  }

  private static Step step(Optional<Owner> owner, boolean allowed) {
    return ApiRegistration.step(OURS, Optional.of(new Current(owner, Optional.empty())), allowed);
  }

  @Test
  void whatNobodyHasIsCreated() {
    assertThat(ApiRegistration.step(OURS, Optional.empty(), false)).isEqualTo(new Step.Create());
  }

  @Test
  void whatIsOursIsKeptOrRenewed() {
    assertThat(step(Optional.of(OURS), false)).isEqualTo(new Step.Keep());
    assertThat(step(Optional.of(owner("fallow-system", "fallow-metrics", 443, "old")), false))
        .isEqualTo(new Step.Renew());
    assertThat(step(Optional.of(owner("fallow-system", "fallow-metrics", 8443, "new")), false))
        .isEqualTo(new Step.Renew());
  }

  @Test
  void anothersIsLeftAloneUnlessWeAreToldOtherwise() {
    assertThat(step(Optional.of(ADAPTER), false))
        .isEqualTo(new Step.Refuse("the Service monitoring/prometheus-adapter:443"));
    assertThat(step(Optional.of(ADAPTER), true)).isEqualTo(new Step.TakeOver(ADAPTER));
  }

  @Test
  void aServiceOfTheSameNameElsewhereIsAnothers() {
    Owner elsewhere = owner("other", "fallow-metrics", 443, "new");
    assertThat(step(Optional.of(elsewhere), false)).isInstanceOf(Step.Refuse.class);
  }

  @Test
  void whatTheApiServerAnswersItselfIsNeverTaken() {
    assertThat(step(Optional.empty(), true)).isInstanceOf(Step.Refuse.class);
  }
}
