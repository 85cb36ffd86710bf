package dev.fallow.core.autoscale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.autoscale.ApiRegistration.Current;
import dev.fallow.core.autoscale.ApiRegistration.Owner;
import dev.fallow.core.autoscale.ApiRegistration.Place;
import dev.fallow.core.autoscale.ApiRegistration.Step;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ApiRegistrationTest {

  private static final Owner OURS = owner("fallow-system", "fallow-metrics", 443, "new");
  private static final Owner ADAPTER = owner("monitoring", "prometheus-adapter", 443, "");

  private static Owner owner(String namespace, String service, int port, String authorities) {
    return new Owner(new Place(namespace, service, port), authorities, false);
  }

  private static Step step(Optional<Owner> owner, boolean allowed) {
    return alone(Optional.of(new Current(owner, Optional.empty())), allowed);
  }

  private static Step alone(Optional<Current> current, boolean allowed) {
    return ApiRegistration.plan(OURS, List.of(current), allowed).steps().getFirst();
  }

  private static Optional<Current> by(Owner owner) {
    return Optional.of(new Current(Optional.of(owner), Optional.empty()));
  }

  @Test
  void whatNobodyHasIsCreated() {
    assertThat(alone(Optional.empty(), false)).isEqualTo(new Step.Create());
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

  /** The new version would be the preferred one, and every autoscaler would turn to it. */
  @Test
  void besideAVersionThatIsLeftToAnotherNoneIsCreated() {
    Step refused = new Step.Refuse("the Service monitoring/prometheus-adapter:443");

    assertThat(ApiRegistration.plan(OURS, List.of(by(ADAPTER), Optional.empty()), false).steps())
        .containsExactly(refused, refused);
    assertThat(ApiRegistration.plan(OURS, List.of(Optional.empty(), by(ADAPTER)), false).steps())
        .containsExactly(refused, refused);
    assertThat(ApiRegistration.plan(OURS, List.of(by(ADAPTER), Optional.empty()), true).steps())
        .containsExactly(new Step.TakeOver(ADAPTER), new Step.Create());
  }

  @Test
  void besideWhatTheApiServerAnswersItselfNothingIsTaken() {
    Optional<Current> local = Optional.of(new Current(Optional.empty(), Optional.empty()));

    assertThat(ApiRegistration.plan(OURS, List.of(local, by(ADAPTER)), true).steps())
        .allSatisfy(step -> assertThat(step).isInstanceOf(Step.Refuse.class));
  }

  @Test
  void whoeverStandsBesideUsIsAskedForWhatWeDoNotKnow() {
    Owner older = owner("monitoring", "older", 443, "");
    Optional<Current> taken = Optional.of(new Current(Optional.of(OURS), Optional.of(older)));

    ApiRegistration.Plan beside = ApiRegistration.plan(OURS, List.of(by(ADAPTER), by(OURS)), false);
    assertThat(beside.steps().getLast()).isEqualTo(new Step.Keep());
    assertThat(beside.former()).contains(ADAPTER);
    assertThat(ApiRegistration.plan(OURS, List.of(by(ADAPTER), taken), false).former())
        .contains(ADAPTER);
    assertThat(ApiRegistration.plan(OURS, List.of(taken, taken), false).former()).contains(older);
    assertThat(ApiRegistration.plan(OURS, List.of(by(ADAPTER), Optional.empty()), true).former())
        .contains(ADAPTER);
    assertThat(ApiRegistration.plan(OURS, List.of(by(OURS), by(OURS)), false).former()).isEmpty();
    assertThat(ApiRegistration.plan(OURS, List.of(by(ADAPTER), by(ADAPTER)), false).former())
        .as("nothing is ours: whoever has taken it may ask us, and must not be asked back")
        .isEmpty();
  }
}
