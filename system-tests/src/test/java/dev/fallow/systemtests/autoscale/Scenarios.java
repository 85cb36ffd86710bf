package dev.fallow.systemtests.autoscale;

import static dev.fallow.systemtests.autoscale.Scenario.external;
import static dev.fallow.systemtests.autoscale.Scenario.object;
import static dev.fallow.systemtests.autoscale.Scenario.pods;

import dev.fallow.systemtests.autoscale.Scenario.Target;
import java.util.List;

/**
 * What HPAs come to, reckoned by hand from the formula: replicas = ceil(replicas × value / target),
 * nothing within a tenth of the target; a pod without a number counts as nothing on the way up and
 * as just right on the way down, and turns no direction around.
 */
final class Scenarios {
  private static final String USE = "gpu_utilization";
  private static final String ON_40 = pods(USE, "40");
  private static final String FOUR = "\"nvidia.com/gpu\":\"4\"";

  private Scenarios() {}

  static List<Scenario> all() {
    return List.of(
        Scenario.of("up", 1, 3, 120, ON_40),
        Scenario.of("down", 6, 3, 120, ON_40),
        Scenario.of("a-measured-zero", 4, 1, 0, ON_40),
        // 43 and 37 are within a tenth of 40; 45 is not.
        Scenario.of("tolerated-above", 2, 2, 86, ON_40),
        Scenario.of("tolerated-below", 3, 3, 111, ON_40),
        Scenario.of("just-outside", 2, 3, 90, ON_40),
        Scenario.of("no-more-than-allowed", 1, 4, 400, ON_40).between(1, 4),
        Scenario.of("no-less-than-allowed", 4, 2, 10, ON_40).between(2, 8),
        // Utilisation asks for 3, memory for 100 / 20.
        Scenario.of("the-higher-of-two", 1, 5, 120, ON_40, pods("gpu_memory_used_percent", "20"))
            .exposing(Exposed.memoryToo()),
        Scenario.of("one-of-two-unknown-down", 3, 3, 30, ON_40, pods("gpu_power_watts", "100")),
        Scenario.of("one-of-two-unknown-up", 1, 3, 120, ON_40, pods("gpu_power_watts", "100")),
        Scenario.of("mean-of-four", 1, 3, 120, ON_40)
            .holding(FOUR)
            .exposing(Exposed.utilization(4)),
        // The mean would be a quarter, and never reach 80.
        Scenario.of("highest-of-four", 1, 2, 160, pods(USE + "_max", "80"))
            .holding(FOUR)
            .exposing(Exposed.oneOf(4)),
        Scenario.of("sum-of-four", 1, 3, 120, pods(USE + "_sum", "160"))
            .holding(FOUR)
            .exposing(Exposed.utilization(4)),
        Scenario.of("instances", 2, 4, 160, ON_40)
            .holding("\"nvidia.com/mig-1g.10gb\":\"1\"")
            .exposing(Exposed.instances()),
        Scenario.of("shared-cards", 2, 3, 120, ON_40)
            .holding("\"nvidia.com/gpu.shared\":\"1\"")
            .exposing(Exposed.twoOnACard()),
        Scenario.of("cards-of-amd", 1, 3, 120, ON_40)
            .holding("\"amd.com/gpu\":\"1\"")
            .exposing(Exposed.ofAmd()),
        Scenario.of("labels-renamed", 1, 3, 120, ON_40).exposing(Exposed.besideTheExportersOwn()),
        Scenario.of("all-warming", 2, 2, 200, ON_40).annotated("\"fallow.dev/warmup\":\"12h\""),
        // Two of three show 67: 133 / 3 asks for 4; then 150 / 4 would turn it around.
        Scenario.of("one-warming", 3, 4, 200, ON_40),
        // Two of three show 100: 200 / 3 asks for 5, and 200 / 5 is 40.
        Scenario.of("one-unseen-up", 3, 5, 200, ON_40).exposing(Exposed.oldestShows("")),
        // Three of four show 10: with 40 for the other 70 / 4 asks for 2; then (30 + 40) / 2.
        // Of a StatefulSet the unseen one, its first, is the last to go.
        Scenario.of("one-unseen-down", 4, 2, 30, ON_40)
            .as("StatefulSet")
            .exposing(Exposed.oldestShows("")),
        Scenario.of("one-not-a-number", 3, 5, 200, ON_40).exposing(Exposed.oldestShows("NaN")),
        Scenario.of("one-blank", 3, 5, 200, ON_40).exposing(Exposed.oldestShows("4294967295")),
        Scenario.of("all-not-a-number", 3, 3, 0, ON_40).exposing(Exposed.always("NaN")),
        Scenario.of("all-blank", 3, 3, 0, ON_40).exposing(Exposed.always("4294967295")),
        Scenario.of("nothing-seen", 2, 2, 0, ON_40).exposing(Exposed.nothing()),
        Scenario.of(
            "of-a-deployment",
            1,
            3,
            150,
            object("apps/v1", "Deployment", "of-a-deployment", USE, Target.value("50"))),
        Scenario.of(
            "shared-out",
            1,
            3,
            120,
            object("apps/v1", "Deployment", "shared-out", USE + "_sum", Target.average("40"))),
        Scenario.of(
            "of-a-service",
            1,
            2,
            100,
            object("v1", "Service", "of-a-service", USE, Target.value("50"))),
        Scenario.of(
                "of-a-namespace",
                1,
                2,
                100,
                object("v1", "Namespace", "alone", USE, Target.value("50")))
            .in("alone"),
        Scenario.of(
                "of-a-stateful-set",
                1,
                2,
                100,
                object("apps/v1", "StatefulSet", "of-a-stateful-set", USE, Target.value("50")))
            .as("StatefulSet"),
        Scenario.of(
            "external", 1, 2, 100, external(USE, "\"workload\":\"external\"", Target.value("50"))),
        Scenario.of(
            "external-shared-out",
            1,
            3,
            120,
            external(USE + "_sum", "\"workload\":\"external-shared-out\"", Target.average("40"))),
        Scenario.of(
                "the-old-average",
                1,
                2,
                60,
                external("avg_GPU_utilization", "", Target.value("30")))
            .exposing(Exposed.bandwidth()),
        Scenario.of("a-familys-own-name", 1, 3, 120, pods("DCGM_FI_DEV_GPU_UTIL", "40")),
        Scenario.of("requests-waiting", 1, 4, 20, pods("vllm:num_requests_waiting", "5"))
            .exposing(Exposed.waiting()),
        // Work that is spread anew shows in a mean only after a while; this does not fall.
        Scenario.of("rolling-mean", 1, 4, 0, pods(USE + "_avg_30s", "40"))
            .between(1, 4)
            .exposing(Exposed.always("90")),
        Scenario.of(
            "chosen-by-label",
            1,
            3,
            120,
            pods(USE, "{\"matchLabels\":{\"container\":\"main\"}}", "40")),
        Scenario.of("same-name-again", 1, 2, 100, pods(USE, "50")).as("StatefulSet"),
        Scenario.of(
                "to-zero", 4, 0, 0, external("gateway_requests_queued", "", Target.average("5")))
            .between(0, 8)
            .exposing(Exposed.queue()));
  }
}
