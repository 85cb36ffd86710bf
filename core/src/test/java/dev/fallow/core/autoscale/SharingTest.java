package dev.fallow.core.autoscale;

import static dev.fallow.core.autoscale.Asking.deployment;
import static dev.fallow.core.autoscale.Asking.pods;
import static dev.fallow.core.autoscale.Asking.where;
import static dev.fallow.core.autoscale.Scene.ENGINE;
import static dev.fallow.core.autoscale.Scene.UTIL;
import static dev.fallow.core.autoscale.Scene.every15s;
import static dev.fallow.core.autoscale.Scene.labels;
import static dev.fallow.core.autoscale.Scene.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** One card, several pods. */
class SharingTest {

  private static Scene shared() {
    return new Scene().sharing("n1").ready("web", "web-a", "web-b").ready("x", "x-a");
  }

  private static Map<String, String> copy(String pod, String number) {
    return with(labels("GPU-1", "n1", pod), "vgpu", number);
  }

  @Test
  void copiesOfTheCardsValueAreTheCardsForEachPodAndOnceForTheWorkload() {
    ReadBook book =
        shared()
            .series(UTIL, copy("web-a", "0"), every15s(90))
            .series(UTIL, copy("web-b", "1"), every15s(90))
            .series(UTIL, copy("x-a", "2"), every15s(90))
            .book();

    assertThat(pods(book, "gpu_utilization"))
        .isEqualTo(Map.of("web-a", 90.0, "web-b", 90.0, "x-a", 90.0));
    assertThat(deployment(book, "web", "gpu_utilization")).isEqualTo(Map.of("web", 90.0));
    assertThat(deployment(book, "web", "gpu_utilization_sum")).isEqualTo(Map.of("web", 90.0));
    assertThat(pods(book, "gpu_utilization", where("sharing", "split")))
        .isEqualTo(Map.of("web-a", 30.0, "web-b", 30.0, "x-a", 30.0));
  }

  @Test
  void valuesPerProcessAreThePodsOwn() {
    ReadBook book =
        shared()
            .card(UTIL, "GPU-1", "n1", "", 90)
            .series(UTIL, copy("web-a", "0"), every15s(20))
            .series(UTIL, copy("web-b", "1"), every15s(10))
            .series(UTIL, copy("x-a", "2"), every15s(60))
            .book();

    assertThat(pods(book, "gpu_utilization"))
        .isEqualTo(Map.of("web-a", 20.0, "web-b", 10.0, "x-a", 60.0));
    assertThat(deployment(book, "web", "gpu_utilization"))
        .as("what the workload does to the card, not what others do to it")
        .isEqualTo(Map.of("web", 30.0));
  }

  @Test
  void zerosOfAnExporterThatSeesNoProcessesAreNotBelieved() {
    ReadBook book =
        shared()
            .card(UTIL, "GPU-1", "n1", "", 90)
            .card(ENGINE, "GPU-1", "n1", "", 0.8)
            .series(UTIL, copy("web-a", "0"), every15s(0))
            .series(UTIL, copy("web-b", "1"), every15s(0))
            .series(UTIL, copy("x-a", "2"), every15s(0))
            .book();

    assertThat(pods(book, "gpu_utilization"))
        .isEqualTo(Map.of("web-a", 90.0, "web-b", 90.0, "x-a", 90.0));
  }

  @Test
  void zerosThatAreNotBelievedDoNotStandInForTheCardOnceItIsStill() {
    for (int card = 0; card < 20; card++) {
      String uuid = "GPU-" + card;
      ReadBook book =
          new Scene()
              .sharing("n1")
              .ready("web", "web-a", "web-b")
              .series(
                  UTIL,
                  labels(uuid, "n1", ""),
                  new double[] {-35, 90},
                  new double[] {-20, 90},
                  new double[] {-5, 0})
              .series(
                  UTIL,
                  with(labels(uuid, "n1", "web-a"), "vgpu", "0"),
                  new double[] {-35, 0},
                  new double[] {-20, 0},
                  new double[] {-5, 0})
              .series(
                  UTIL,
                  with(labels(uuid, "n1", "web-b"), "vgpu", "1"),
                  new double[] {-35, 0},
                  new double[] {-20, 0},
                  new double[] {-5, 0})
              .book();

      assertThat(pods(book, "gpu_utilization_avg_1m"))
          .as(uuid)
          .isEqualTo(Map.of("web-a", 60.0, "web-b", 60.0));
    }
  }

  @Test
  void aLabelThatFlapsBetweenPodsLeavesAllOfThemTheCard() {
    ReadBook book =
        shared()
            .series(
                UTIL, labels("GPU-1", "n1", "web-a"), new double[] {-65, 70}, new double[] {-5, 90})
            .series(UTIL, labels("GPU-1", "n1", "web-b"), new double[] {-50, 75})
            .series(
                UTIL, labels("GPU-1", "n1", "x-a"), new double[] {-35, 80}, new double[] {-20, 85})
            .book();

    assertThat(pods(book, "gpu_utilization"))
        .isEqualTo(Map.of("web-a", 90.0, "web-b", 90.0, "x-a", 90.0));
  }

  @Test
  void whoseUseItIsIsNotGuessedWhereWhatTellsItCouldNotBeRead() {
    String used = "DCGM_FI_DEV_FB_USED";
    Scene scene =
        shared()
            .card(UTIL, "GPU-1", "n1", "", 90)
            .series(UTIL, copy("web-a", "0"), every15s(20))
            .series(UTIL, copy("web-b", "1"), every15s(10))
            .series(UTIL, copy("x-a", "2"), every15s(60))
            .card(used, "GPU-1", "n1", "", 60)
            .series(used, copy("web-a", "0"), every15s(10))
            .series(used, copy("web-b", "1"), every15s(20))
            .series(used, copy("x-a", "2"), every15s(30));
    assertThat(pods(scene.book(), used))
        .isEqualTo(Map.of("web-a", 10.0, "web-b", 20.0, "x-a", 30.0));

    assertThat(pods(scene.unread(UTIL).book(), used)).isEmpty();
  }

  /** Feeds are read one after the other, so one may know of a look that another does not. */
  @Test
  void anotherSignalsLaterSampleDoesNotTurnAPodsOwnNumberIntoTheCards() {
    ReadBook book =
        shared()
            .card(UTIL, "GPU-1", "n1", "", 90)
            .series(UTIL, copy("web-a", "0"), every15s(20))
            .series(UTIL, copy("web-b", "1"), every15s(10))
            .series(UTIL, copy("x-a", "2"), every15s(60))
            .series(
                ENGINE,
                labels("GPU-1", "n1", ""),
                new double[] {-20, 0.9},
                new double[] {-5, 0.9},
                new double[] {-1, 0.9})
            .book();

    assertThat(pods(book, "gpu_utilization"))
        .isEqualTo(Map.of("web-a", 20.0, "web-b", 10.0, "x-a", 60.0));
  }

  @Test
  void whereAPodsOwnNumberIsMissingAnotherFamilyThatNamesItDoesNotStandIn() {
    ReadBook book =
        shared()
            .series(UTIL, copy("web-a", "0"), every15s(20))
            .series(UTIL, copy("web-b", "1"), every15s(10))
            .series(ENGINE, copy("web-a", "0"), every15s(0.9))
            .series(ENGINE, copy("web-b", "1"), every15s(0.9))
            .series(ENGINE, copy("x-a", "2"), every15s(0.9))
            .book();

    assertThat(pods(book, "gpu_utilization")).isEqualTo(Map.of("web-a", 20.0, "web-b", 10.0));
  }
}
