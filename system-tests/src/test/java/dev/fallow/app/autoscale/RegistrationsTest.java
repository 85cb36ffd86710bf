package dev.fallow.app.autoscale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fallow.adapters.kubernetes.ApiServices;
import dev.fallow.adapters.kubernetes.ApiServices.Registered;
import dev.fallow.adapters.kubernetes.ApiServices.Version;
import dev.fallow.adapters.kubernetes.ClusterAuthentication;
import dev.fallow.adapters.kubernetes.ConnectionOptions;
import dev.fallow.adapters.kubernetes.KubernetesConnection;
import dev.fallow.adapters.kubernetes.SecretStore;
import dev.fallow.core.autoscale.ApiRegistration.Owner;
import dev.fallow.core.autoscale.ApiRegistration.Place;
import dev.fallow.rig.AuditEntry;
import dev.fallow.rig.AuditLog;
import dev.fallow.rig.Json;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.server.HttpFront;
import dev.fallow.server.Reply;
import dev.fallow.server.ServingKeys;
import dev.fallow.server.certificate.ServingSecret;
import dev.fallow.server.metricsapi.MetricsGroup;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who answers for the metrics APIs, as a real API server has it written down. */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class RegistrationsTest {

  private static final String FOLDER = "/apis/apiregistration.k8s.io/v1/apiservices";
  private static final String OLDER = "v1beta1.custom.metrics.k8s.io";
  private static final String NEWER = "v1beta2.custom.metrics.k8s.io";
  private static final String EXTERNAL = "v1beta1.external.metrics.k8s.io";
  private static final List<String> ALL = List.of(OLDER, NEWER, EXTERNAL);

  private static final Owner OURS = owner("fallow-system", "fallow-metrics");
  private static final Owner THEIRS = owner("monitoring", "adapter");

  private static Rig rig;
  private static KubernetesConnection connection;
  private static ApiServices services;

  @BeforeAll
  static void start() {
    rig = Rig.builder().user("nobody").start();
    connection = connected(rig.kubeconfig());
    services = new ApiServices(connection);
  }

  private static KubernetesConnection connected(Path kubeconfig) {
    return KubernetesConnection.openForChanges(
        new ConnectionOptions(Optional.of(kubeconfig), Optional.empty(), "test", Map.of()));
  }

  @AfterAll
  static void stop() {
    if (connection != null) {
      connection.close();
    }
    if (rig != null) {
      rig.close();
    }
  }

  @BeforeEach
  void nobodyHasAny() {
    ALL.forEach(api -> rig.admin().delete(FOLDER + "/" + api));
  }

  private static Owner owner(String namespace, String service) {
    Place place = new Place(namespace, service, 443);
    return new Owner(place, authority(place), false);
  }

  private static String authority(Place place) {
    return ServingSecret.create(List.of(place.host()), Instant.now()).bundle();
  }

  private static Registrations registrations(boolean takesOver) {
    return registrations(EnumSet.allOf(MetricsGroup.class), takesOver);
  }

  private static Registrations registrations(Set<MetricsGroup> groups, boolean takesOver) {
    return new Registrations(services, plan(groups, takesOver));
  }

  private static MetricsPlan plan(Set<MetricsGroup> groups, boolean takesOver) {
    return new MetricsPlan(
        groups,
        OURS.place(),
        "127.0.0.1",
        443,
        takesOver,
        Optional.empty(),
        Duration.ofSeconds(15));
  }

  private static Json stored(String api) {
    return rig.admin().get(FOLDER + "/" + api).orThrow().json();
  }

  private static boolean isThere(String api) {
    return rig.admin().get(FOLDER + "/" + api).status() == 200;
  }

  private static Optional<Owner> ownerOf(String api) {
    return services.read(api).orElseThrow().current().owner();
  }

  /** Another server has it, as by a manifest. */
  private static void theyRegister(String group, String version) {
    assertThat(services.create(new Version(group, version, 100), THEIRS)).isTrue();
  }

  private static void theyTakeBack(String api) {
    String authorities =
        Base64.getEncoder().encodeToString(THEIRS.authorities().getBytes(StandardCharsets.UTF_8));
    rig.admin()
        .patch(
            FOLDER + "/" + api,
            "{\"spec\":{\"service\":{\"namespace\":\"%s\",\"name\":\"%s\"},\"caBundle\":\"%s\"}}"
                .formatted(THEIRS.place().namespace(), THEIRS.place().service(), authorities))
        .orThrow();
  }

  /** The API server writes into them how it finds them, too, and may come first once or twice. */
  private static void awaitKept(Registrations registrations, Owner ours, List<String> apis) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> {
          registrations.keep(ours);
          assertThat(apis).allSatisfy(api -> assertThat(ownerOf(api)).contains(ours));
        });
  }

  @Test
  void whatNobodyHasIsRegisteredAndThenLeftAsItIs() {
    Registrations registrations = registrations(false);

    assertThat(registrations.keep(OURS)).isEqualTo(new Registrations.Result(List.of(), Map.of()));
    assertThat(ALL).allSatisfy(api -> assertThat(ownerOf(api)).contains(OURS));
    assertThat(stored(NEWER).at("spec", "versionPriority").number())
        .isGreaterThan(stored(OLDER).at("spec", "versionPriority").number());

    AuditLog since = rig.audit().fromHere();
    registrations.keep(OURS);
    assertThat(since.entries(entry -> entry.uri().startsWith(FOLDER)))
        .extracting(AuditEntry::verb)
        .as("nothing is written that is so already")
        .doesNotContain("create", "patch");
  }

  @Test
  void aNewAuthorityIsToldForAllVersionsAndWhatOthersWroteThereStays() {
    Registrations registrations = registrations(false);
    registrations.keep(OURS);
    rig.admin()
        .patch(FOLDER + "/" + NEWER, "{\"metadata\":{\"annotations\":{\"team\":\"x\"}}}")
        .orThrow();
    Owner renewed = new Owner(OURS.place(), authority(OURS.place()), false);

    awaitKept(registrations, renewed, ALL);

    assertThat(stored(NEWER).at("metadata", "annotations", "team").text()).isEqualTo("x");
  }

  @Test
  void besideAVersionOfSomebodyElseNoOtherVersionIsRegistered() {
    theyRegister("custom.metrics.k8s.io", "v1beta1");

    Registrations.Result result = registrations(false).keep(OURS);

    assertThat(ownerOf(OLDER)).contains(THEIRS);
    assertThat(isThere(NEWER)).isFalse();
    assertThat(ownerOf(EXTERNAL)).as("the other API is nobody's").contains(OURS);
    assertThat(result.conflicts())
        .hasSize(2)
        .anySatisfy(one -> assertThat(one).contains(OLDER, "monitoring/adapter:443"))
        .anySatisfy(one -> assertThat(one).contains(NEWER, "is not registered"));
  }

  /** As where KEDA comes later. */
  @Test
  void anApiThatIsLeftOutAndStillLeadsHereIsNamedWithItsCure() {
    registrations(false).keep(OURS);
    Registrations customAlone = registrations(EnumSet.of(MetricsGroup.CUSTOM), false);

    assertThat(customAlone.keep(OURS).conflicts())
        .singleElement()
        .asString()
        .contains("kubectl delete apiservice " + EXTERNAL);
    assertThat(ownerOf(EXTERNAL)).as("that is for a person to decide").contains(OURS);

    rig.admin().delete(FOLDER + "/" + EXTERNAL);
    assertThat(customAlone.keep(OURS).conflicts()).isEmpty();
    theyRegister("external.metrics.k8s.io", "v1beta1");
    assertThat(customAlone.keep(OURS).conflicts()).as("it is theirs").isEmpty();
  }

  @Test
  void whomAnApiWasTakenFromIsKnownToWhoeverComesNext() {
    theyRegister("external.metrics.k8s.io", "v1beta1");

    Registrations registrations = registrations(true);
    awaitKept(registrations, OURS, List.of(EXTERNAL));
    assertThat(registrations.keep(OURS).former()).isEqualTo(Map.of(MetricsGroup.EXTERNAL, THEIRS));

    Registrations.Result next = registrations(false).keep(OURS);
    assertThat(next.former()).isEqualTo(Map.of(MetricsGroup.EXTERNAL, THEIRS));
    assertThat(next.conflicts()).isEmpty();
  }

  @Test
  void whoTakesAnApiBackTwiceKeepsItAndTheReasonIsSaid() {
    Registrations registrations = registrations(true);
    theyRegister("external.metrics.k8s.io", "v1beta1");
    awaitKept(registrations, OURS, ALL);
    theyTakeBack(EXTERNAL);
    awaitKept(registrations, OURS, ALL);
    theyTakeBack(EXTERNAL);

    Registrations.Result result = registrations.keep(OURS);

    assertThat(ownerOf(EXTERNAL)).contains(THEIRS);
    assertThat(result.conflicts()).singleElement().asString().contains(EXTERNAL, "twice");
    assertThat(ownerOf(NEWER)).as("the other API is not fought for").contains(OURS);
  }

  /** As one that aggregates nothing does. */
  @Test
  void whatTheApiServerAnswersItselfIsNeverTaken() {
    rig.admin()
        .post(
            FOLDER,
            """
            {"metadata":{"name":"%s"},"spec":{"group":"external.metrics.k8s.io","version":"v1beta1",
             "groupPriorityMinimum":100,"versionPriority":100}}\
            """
                .formatted(EXTERNAL))
        .orThrow();

    Registrations.Result result = registrations(true).keep(OURS);

    assertThat(ownerOf(EXTERNAL)).isEmpty();
    assertThat(result.conflicts()).singleElement().asString().contains("the API server itself");
  }

  /** Between what is read and what is written somebody else may write. */
  @Test
  void whoeverWritesFirstIsNotOverwritten() {
    Version version = new Version("external.metrics.k8s.io", "v1beta1", 100);
    assertThat(services.create(version, OURS)).isTrue();
    assertThat(services.create(version, THEIRS)).as("it is there").isFalse();
    Registered seen = services.read(EXTERNAL).orElseThrow();
    theyTakeBack(EXTERNAL);

    assertThat(services.change(version, seen, OURS, Optional.of(THEIRS))).isFalse();
    assertThat(ownerOf(EXTERNAL)).contains(THEIRS);
  }

  /** Who was told of the authority before knows the new certificate, too. */
  @Test
  void aRenewedCertificateIsShownWhileTheRegistrationsCannotBeRead() throws Exception {
    rig.kubectl("create", "namespace", "fallow-system");
    MetricsPlan plan = plan(EnumSet.allOf(MetricsGroup.class), false);
    SecretStore secrets = new SecretStore(connection, "fallow-system", MetricsPlan.SECRET);
    ServingKeys keys = new ServingKeys();
    HttpFront front =
        HttpFront.startSecure(
            "127.0.0.1", 0, keys, request -> Reply.text(200, "ok"), Throwable::printStackTrace);
    try (KubernetesConnection nobody = connected(rig.kubeconfigFor("nobody"))) {
      MetricsUpkeep upkeep =
          new MetricsUpkeep(
              plan,
              new ClusterAuthentication(connection),
              secrets,
              new Registrations(new ApiServices(nobody), plan),
              keys);
      upkeep.turn(Instant.now().minus(Duration.ofDays(300)));
      X509Certificate first = stored(secrets).serving().certificate();
      assertThat(shownAt(front.port())).isEqualTo(first);

      upkeep.turn(Instant.now());

      X509Certificate renewed = stored(secrets).serving().certificate();
      assertThat(renewed).isNotEqualTo(first);
      assertThat(shownAt(front.port())).isEqualTo(renewed);
    } finally {
      boolean _ = front.stop(Duration.ofSeconds(5));
    }
  }

  private static ServingSecret stored(SecretStore secrets) {
    return ServingSecret.read(secrets.read().orElseThrow().texts()).orElseThrow();
  }

  private static Certificate shownAt(int port) throws Exception {
    KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
    authorities.load(null, null);
    SecretStore secrets = new SecretStore(connection, "fallow-system", MetricsPlan.SECRET);
    authorities.setCertificateEntry("ca", stored(secrets).authorities().getFirst());
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(authorities);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    try (SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.startHandshake();
      return socket.getSession().getPeerCertificates()[0];
    }
  }
}
