package dev.fallow.app.settings;

import dev.fallow.core.autoscale.ApiRegistration.Place;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What autoscalers are served. */
public final class MetricsSettings {

  /** An API that autoscalers read. */
  public enum MetricsApis {
    CUSTOM,
    EXTERNAL
  }

  public static final Setting<Set<MetricsApis>> METRICS_APIS =
      Setting.of(
              "metrics-apis",
              "NAMES",
              "",
              "custom, external, or both with a comma",
              Parsers::metricsApis)
          .saying(
              "Which of custom.metrics.k8s.io and external.metrics.k8s.io to answer for; unset,"
                  + " none.");

  /** Whether the use of GPUs is published. */
  public enum GpuMetrics {
    AUTO,
    ON,
    OFF
  }

  public static final Setting<GpuMetrics> GPU_METRICS =
      Setting.of("gpu-metrics", "WHEN", "auto", "auto, on or off", Parsers.oneOf(GpuMetrics.class))
          .saying(
              "Whether /metrics shows how the GPUs are used that pods hold; auto: in serve as a"
                  + " whole and in its part exporter.");

  public static final Setting<Integer> METRICS_PORT =
      Setting.of(
              "metrics-port",
              "PORT",
              "8443",
              "0 to 65535; 0 takes a free one",
              Parsers.number(0, 65_535))
          .saying("Where the metrics APIs are served, over TLS.");

  public static final Setting<Optional<Place>> METRICS_SERVICE =
      Setting.of(
              "metrics-service", "NS/NAME:PORT", "", "namespace/name:port", Parsers::servicePlace)
          .saying(
              "The Service by which the API server reaches them; unset, fallow-metrics:443 in the"
                  + " account's own namespace.");

  public static final Setting<Boolean> TAKE_OVER_METRICS_APIS =
      Setting.flag("take-over-metrics-apis")
          .saying(
              "Answer for them even where another Service does now; names that Fallow does not"
                  + " know are passed on to that one.");

  public static final Setting<Optional<Place>> FORMER_METRICS_SERVICE =
      Setting.of(
              "former-metrics-service",
              "NS/NAME:PORT",
              "",
              "namespace/name:port",
              Parsers::servicePlace)
          .saying(
              "Who is asked for names that Fallow does not know, where no take-over is on record;"
                  + " wants --former-metrics-ca-file.");

  public static final Setting<String> FORMER_METRICS_CA_FILE =
      Setting.of("former-metrics-ca-file", "FILE", "", "a file of PEM certificates", String::strip)
          .saying("By whose certificates that Service is known.");

  public static final Setting<Integer> KEDA_PORT =
      Setting.of("keda-port", "PORT", "0", "0 to 65535; 0 is off", Parsers.number(0, 65_535))
          .saying("Where KEDA's external scaler is served, over gRPC; 0, nowhere.");

  public static final Setting<String> KEDA_CERT_FILE =
      Setting.of("keda-cert-file", "FILE", "", "a file of PEM certificates", String::strip)
          .saying("The certificate that KEDA is shown; without it, there is no TLS.");

  public static final Setting<String> KEDA_KEY_FILE =
      Setting.of("keda-key-file", "FILE", "", "a file with a PEM key in PKCS #8", String::strip)
          .saying("The key to that certificate.");

  public static final Setting<String> KEDA_CLIENT_CA_FILE =
      Setting.of("keda-client-ca-file", "FILE", "", "a file of PEM certificates", String::strip)
          .saying(
              "Whose certificates KEDA has to show; without it, everybody who reaches the port may"
                  + " read the numbers of every namespace.");

  private MetricsSettings() {}

  /** In the order of the reference. */
  public static List<Setting<?>> all() {
    return List.of(
        GPU_METRICS,
        METRICS_APIS,
        METRICS_PORT,
        METRICS_SERVICE,
        TAKE_OVER_METRICS_APIS,
        FORMER_METRICS_SERVICE,
        FORMER_METRICS_CA_FILE,
        KEDA_PORT,
        KEDA_CERT_FILE,
        KEDA_KEY_FILE,
        KEDA_CLIENT_CA_FILE);
  }
}
