package dev.fallow.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.app.WrongUse;
import dev.fallow.core.fleet.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadNameTest {

  private static final ObjectId DEPLOYMENT = new ObjectId("apps", "Deployment", "ml", "x", "1");
  private static final ObjectId SERVICE =
      new ObjectId("serving.kserve.io", "InferenceService", "ml", "x", "2");

  @ParameterizedTest
  @ValueSource(
      strings = {"deploy/x", "deployment/x", "deployments/x", "Deployment/x", "deployment.apps/x"})
  void kubectlsWaysToNameAKindAllWork(String text) {
    assertThat(WorkloadName.parse(text).names(DEPLOYMENT)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"isvc/x", "inferenceservices/x", "inferenceservice.v1beta1.serving.kserve.io/x"})
  void customKindsAreNamedWithGroupAndVersionIfWanted(String text) {
    assertThat(WorkloadName.parse(text).names(SERVICE)).isTrue();
    assertThat(WorkloadName.parse(text).names(DEPLOYMENT)).isFalse();
  }

  @Test
  void anotherGroupsKindOfTheSameNameIsNotMeant() {
    assertThat(WorkloadName.parse("deployment.example.com/x").names(DEPLOYMENT)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "/x", "deploy/", "deploy/ml/x", ""})
  void whatNamesNoWorkloadIsRefused(String text) {
    assertThatThrownBy(() -> WorkloadName.parse(text))
        .isInstanceOf(WrongUse.class)
        .hasMessageContaining("KIND/NAME");
  }
}
