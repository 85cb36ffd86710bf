package dev.fallow.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("rig")
@ExtendWith(RigFailureReport.class)
class CustomKindsTest {
  private static final String POD = "{'spec':{'containers':[{'name':'main','image':'none'}]}}";
  private static final String SELECTOR = "{'matchLabels':{'app':'x'}}";
  private static Rig rig;

  @BeforeAll
  static void start() {
    rig = Rig.builder().audit(AuditLevel.WRITES).withCrds().start();
  }

  @AfterAll
  static void close() {
    rig.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          kubeflow.org/v1                | Notebook         | {'template':POD}
          kubeflow.org/v1beta1           | Notebook         | {'template':POD}
          kubeflow.org/v1                | PyTorchJob       | {'pytorchReplicaSpecs':{'Worker':{'replicas':2,'template':POD}},'runPolicy':{'suspend':false}}
          serving.kserve.io/v1beta1      | InferenceService | {'predictor':{'minReplicas':1,'model':{'modelFormat':{'name':'onnx'}}}}
          leaderworkerset.x-k8s.io/v1    | LeaderWorkerSet  | {'replicas':2,'leaderWorkerTemplate':{'size':2,'workerTemplate':POD}}
          jobset.x-k8s.io/v1alpha2       | JobSet           | {'suspend':false,'replicatedJobs':[{'name':'w','template':{'spec':{'template':POD}}}]}
          ray.io/v1                      | RayCluster       | {'suspend':false,'headGroupSpec':{'rayStartParams':{},'template':POD}}
          argoproj.io/v1alpha1           | Rollout          | {'replicas':2,'selector':SELECTOR,'template':POD}
          keda.sh/v1alpha1               | ScaledObject     | {'scaleTargetRef':{'name':'web'},'triggers':[{'type':'cron','metadata':{}}]}
          """)
  void objectsOfEveryKindCanBeCreatedAndKeepTheirSpec(
      String apiVersion, String kind, String specification) {
    String spec =
        specification.replace("SELECTOR", SELECTOR).replace("POD", POD).replace('\'', '"');
    String name = "x-" + apiVersion.replaceAll("[^a-z0-9]", "-");
    String path =
        "/apis/%s/namespaces/default/%ss".formatted(apiVersion, kind.toLowerCase(Locale.ROOT));

    rig.admin()
        .post(
            path + "?fieldValidation=Strict",
            """
            {"apiVersion":"%s","kind":"%s","metadata":{"name":"%s"},"spec":%s}\
            """
                .formatted(apiVersion, kind, name, spec))
        .orThrow();

    Json stored = rig.admin().get(path + "/" + name).orThrow().json();
    assertThat(stored.at("spec").keys()).containsAll(Json.parse(spec).keys());
  }

  @ParameterizedTest
  @CsvSource({
    "leaderworkerset.x-k8s.io/v1, leaderworkersets, .spec.replicas",
    "argoproj.io/v1alpha1, rollouts, .spec.replicas",
    "kubeflow.org/v1, pytorchjobs, .spec.pytorchReplicaSpecs.Worker.replicas",
    "kubeflow.org/v1, notebooks, ''"
  })
  void theDefinitionsSayWhereReplicasAreAsInARealCluster(
      String apiVersion, String plural, String replicasPath) {
    String group = apiVersion.substring(0, apiVersion.indexOf('/'));
    Json definition =
        rig.admin()
            .get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + plural + "." + group)
            .orThrow()
            .json();

    assertThat(
            definition
                .at("spec", "versions")
                .items()
                .getFirst()
                .at("subresources", "scale", "specReplicasPath")
                .text())
        .isEqualTo(replicasPath);
  }

  @Test
  void installingTwiceIsNoError() {
    rig.installCrds();
  }

  @Test
  void theAuditLogHoldsBodiesOfWritesButNotOfDefinitionsOrReads() {
    String path = "/api/v1/namespaces/default/configmaps";
    rig.admin().post(path, "{\"metadata\":{\"name\":\"seen\"}}").orThrow();
    rig.admin().get(path + "/seen").orThrow();

    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() ->
            assertThat(rig.audit().entries(entry -> entry.uri().startsWith(path)))
                .anySatisfy(entry ->
                    assertThat(entry.event().at("responseObject", "metadata", "uid").text())
                        .isNotEmpty())
                .anySatisfy(entry -> assertThat(entry.verb()).isEqualTo("get")));
    assertThat(rig.audit().entries(entry -> !entry.isWrite()))
        .allSatisfy(entry -> assertThat(entry.event().at("responseObject").isMissing()).isTrue());
    assertThat(rig.audit().entries(entry -> entry.uri().contains("customresourcedefinitions")))
        .isNotEmpty()
        .allSatisfy(entry -> assertThat(entry.event().at("requestObject").isMissing()).isTrue());
  }
}
