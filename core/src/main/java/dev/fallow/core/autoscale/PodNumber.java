package dev.fallow.core.autoscale;

import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.idle.DeviceId;
import java.util.Map;

/** What is known of one pod. */
public sealed interface PodNumber {

  GpuPod pod();

  Standing standing();

  /**
   * @param devices each of its devices' part in it; none for what pods tell of themselves
   */
  record Measured(GpuPod pod, Standing standing, Reading reading, Map<DeviceId, Part> devices)
      implements PodNumber {
    public Measured {
      devices = Map.copyOf(devices);
    }
  }

  /**
   * A pod without a number.
   *
   * @param why for people
   */
  record Without(GpuPod pod, Standing standing, Cause cause, String why) implements PodNumber {

    Without(GpuPod pod, Standing standing, Cause cause) {
      this(pod, standing, cause, cause.sentence());
    }
  }

  /**
   * @param own whether it is the pod's alone; else it is the device's, whoever used it
   * @param from the family that it was measured by
   */
  record Part(Reading reading, boolean own, String from) {}

  /** Why a pod has no number. */
  enum Cause {
    GONE("it has finished or is terminating"),
    PENDING("it does not run yet"),
    WARMING("it is warming up"),
    NO_SERIES("no exporter's series names it"),
    NOT_BELIEVED("it was scraped by somebody who might speak in anybody's name"),
    GPUS_MISSING("fewer of its GPUs are measured than it asked for"),
    NOT_READ("not all of the metrics that it takes could be read"),
    STALE("its newest sample is too old"),
    NOT_MEASURED("its GPUs do not have this metric, or only values that cannot be true");

    private final String sentence;

    Cause(String sentence) {
      this.sentence = sentence;
    }

    String sentence() {
      return sentence;
    }
  }
}
