package dev.fallow.server.keda;

import static dev.fallow.server.keda.ExternalScalerProto.field;
import static dev.fallow.server.keda.ExternalScalerProto.first;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.DynamicMessage;
import dev.fallow.server.GrpcFront;
import dev.fallow.server.GrpcKeys;
import dev.fallow.server.certificate.Credential;
import dev.fallow.server.certificate.Pem;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over a real channel, with messages that Google's library writes and reads. */
class ScalerServiceTest {

  private static final Map<String, String> WEB =
      Map.of("metricName", "gpu_utilization", "name", "web", "targetValue", "60");

  private final AskedBook book = new AskedBook();
  private final List<Throwable> defects = new ArrayList<>();
  private final List<AutoCloseable> open = new ArrayList<>();

  @TempDir private Path folder;

  private GrpcFront serve(Optional<GrpcKeys> keys) {
    ScalerService service =
        new ScalerService(
            new Scaler(book, () -> AskedBook.NOW), Duration.ofMillis(20), defects::add);
    GrpcFront front = GrpcFront.start("127.0.0.1", 0, keys, service.definition());
    open.add(front);
    return front;
  }

  private KedaClient client(int port, ChannelCredentials credentials) {
    KedaClient client = new KedaClient(port, credentials);
    open.add(client);
    return client;
  }

  private KedaClient client() {
    return client(serve(Optional.empty()).port(), InsecureChannelCredentials.create());
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
    assertThat(defects).isEmpty();
  }

  private static Status status(Runnable call) {
    return catchThrowableOfType(StatusRuntimeException.class, call::run).getStatus();
  }

  @Test
  void kedaReadsTheTargetAndTheNumber() {
    book.number(72.5);
    KedaClient keda = client();
    DynamicMessage ref = ExternalScalerProto.ref("ml", WEB);
    DynamicMessage spec =
        first(keda.call("GetMetricSpec", ref, "GetMetricSpecResponse"), "metricSpecs");
    assertThat(field(spec, "metricName")).isEqualTo("gpu_utilization");
    assertThat(field(spec, "targetSize")).isEqualTo(60L);
    assertThat(field(spec, "targetSizeFloat")).isEqualTo(60.0);

    DynamicMessage value =
        first(
            keda.call(
                "GetMetrics",
                ExternalScalerProto.metricsRequest(ref, "gpu_utilization"),
                "GetMetricsResponse"),
            "metricValues");
    assertThat(field(value, "metricName")).isEqualTo("gpu_utilization");
    assertThat(field(value, "metricValue")).isEqualTo(73L);
    assertThat(field(value, "metricValueFloat")).isEqualTo(72.5);
    assertThat(keda.active("ml", WEB)).isTrue();
  }

  @Test
  void aMeasuredZeroIsTold() {
    book.number(0);
    KedaClient keda = client();
    DynamicMessage reply =
        keda.call(
            "GetMetrics",
            ExternalScalerProto.metricsRequest(
                ExternalScalerProto.ref("ml", WEB), "gpu_utilization"),
            "GetMetricsResponse");
    assertThat(field(first(reply, "metricValues"), "metricValueFloat")).isEqualTo(0.0);
    assertThat(keda.active("ml", WEB)).isFalse();
  }

  @Test
  void withoutANumberKedaGetsAnErrorAndHolds() {
    KedaClient keda = client();
    book.missing("only 0 of 2 ready pods of deployments/web have gpu_utilization");
    Status missing = status(() -> keda.active("ml", WEB));
    assertThat(missing.getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(missing.getDescription()).contains("only 0 of 2 ready pods");

    book.away();
    DynamicMessage request =
        ExternalScalerProto.metricsRequest(ExternalScalerProto.ref("ml", WEB), "gpu_utilization");
    Status away = status(() -> keda.call("GetMetrics", request, "GetMetricsResponse"));
    assertThat(away.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(away.getDescription()).isEqualTo("Prometheus does not answer");
  }

  @Test
  void aTriggerThatIsWrongIsToldWhat() {
    Status status = status(() -> client().active("ml", Map.of("metricName", "gpu_utilization")));
    assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(status.getDescription()).contains("name is missing");
  }

  @Test
  void aMessageThatCannotBeReadIsRefused() {
    KedaClient keda = client();
    assertThat(status(() -> keda.call("IsActive", new byte[] {0x0a, 0x7f})).getCode())
        .isEqualTo(Status.Code.INVALID_ARGUMENT);
    book.number(1);
    assertThat(keda.active("ml", WEB)).isTrue();
  }

  @Test
  void metadataWithoutEndIsRefusedAndTheConnectionGoesOn() {
    KedaClient keda = client();
    byte[] large = new ProtoWriter().text(1, "x".repeat(1_500_000)).bytes();
    for (int i = 0; i < 20; i++) {
      Status status = status(() -> keda.call("IsActive", large));
      assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(status.getDescription()).contains("larger than 64 KiB");
    }
    assertThat(book.asked).isEmpty();
    book.number(1);
    assertThat(keda.active("ml", WEB)).isTrue();
  }

  @Test
  void aMessageThatNoObjectCanHoldEndsItsCallAndNobodyElses() {
    int port = serve(Optional.empty()).port();
    KedaClient other = client(port, InsecureChannelCredentials.create());
    byte[] huge = new ProtoWriter().text(1, "x".repeat(4_000_000)).bytes();
    // The transport cuts the call off; what it calls that is its own affair.
    assertThat(status(() -> other.call("IsActive", huge)).isOk()).isFalse();
    assertThat(book.asked).isEmpty();
    book.number(1);
    assertThat(client(port, InsecureChannelCredentials.create()).active("ml", WEB)).isTrue();
  }

  @Test
  void manyMayAskAtOnce() throws Exception {
    book.number(1);
    KedaClient keda = client();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> answers = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        answers.add(threads.submit(() -> keda.active("ml", WEB)));
      }
      for (Future<Boolean> answer : answers) {
        assertThat(answer.get()).isTrue();
      }
    }
  }

  @Test
  void aMethodOfLaterVersionsIsNotThere() {
    KedaClient keda = client();
    assertThat(status(() -> keda.call("StreamMetricSpec", new byte[0])).getCode())
        .isEqualTo(Status.Code.UNIMPLEMENTED);
  }

  @Test
  void whoeverWaitsIsToldOfChangesAndOfNothingElse() throws Exception {
    book.number(5);
    BlockingQueue<Object> told = client().stream("ml", WEB);
    assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo(true);
    book.number(0);
    assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo(false);
    book.number(7);
    assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo(true);
    book.away();
    looks(3);
    book.missing("nothing");
    looks(3);
    assertThat(told).isEmpty();
    book.number(9);
    looks(3);
    assertThat(told).isEmpty();
  }

  private void looks(int more) {
    int before = book.asked.size();
    await().until(() -> book.asked.size() >= before + more);
  }

  @Test
  void aWaitingTriggerThatIsWrongIsToldWhat() throws Exception {
    Object end = client().stream("ml", Map.of()).poll(20, TimeUnit.SECONDS);
    assertThat(end).isInstanceOf(StatusRuntimeException.class);
    assertThat(((StatusRuntimeException) end).getStatus().getCode())
        .isEqualTo(Status.Code.INVALID_ARGUMENT);
  }

  @Test
  void onlySoManyMayWaitAndWhoLeavesMakesRoom() throws Exception {
    book.number(1);
    KedaClient keda = client();
    List<BlockingQueue<Object>> waiting = new ArrayList<>();
    for (int i = 0; i < ScalerService.MOST_STREAMS; i++) {
      waiting.add(keda.stream("ml", WEB));
    }
    for (BlockingQueue<Object> one : waiting) {
      assertThat(one.poll(60, TimeUnit.SECONDS)).isEqualTo(true);
    }
    Object refused = keda.stream("ml", WEB).poll(20, TimeUnit.SECONDS);
    assertThat(((StatusRuntimeException) refused).getStatus().getCode())
        .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(keda.active("ml", WEB)).isTrue();

    int port = ((GrpcFront) open.getFirst()).port();
    keda.close();
    KedaClient next = client(port, InsecureChannelCredentials.create());
    await().until(() -> Boolean.TRUE.equals(next.stream("ml", WEB).poll(5, TimeUnit.SECONDS)));
  }

  @Test
  void onlySoManyConnectionsAreTaken() throws Exception {
    book.number(1);
    int port = serve(Optional.empty()).port();
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < 250; i++) {
        idle.add(new Socket("127.0.0.1", port));
      }
      await()
          .untilAsserted(
              () -> assertThat(idle.stream().filter(ScalerServiceTest::cut).count()).isEqualTo(50));
    } finally {
      for (Socket one : idle) {
        one.close();
      }
    }
    KedaClient keda = client(port, InsecureChannelCredentials.create());
    await().ignoreExceptions().until(() -> keda.active("ml", WEB));
  }

  /** Whether the other side has ended it; what it says first of itself is passed over. */
  private static boolean cut(Socket socket) {
    try {
      socket.setSoTimeout(1);
      byte[] some = new byte[1024];
      InputStream in = socket.getInputStream();
      while (in.read(some) >= 0) {
        // Settings of HTTP/2.
      }
      return true;
    } catch (java.net.SocketTimeoutException open) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  private static final Duration YEAR = Duration.ofDays(365);
  private final Credential authority = Credential.authority("callers", Instant.now(), YEAR);
  private final Credential stranger = Credential.authority("callers", Instant.now(), YEAR);

  private GrpcKeys keys(boolean mutual) throws Exception {
    Credential serving = authority.server(List.of("localhost"), Instant.now(), YEAR);
    return GrpcKeys.of(
        file("tls.crt", Pem.of(serving.certificate())),
        file("tls.key", Pem.of(serving.key())),
        mutual ? Optional.of(file("ca.crt", Pem.of(authority.certificate()))) : Optional.empty());
  }

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  private static InputStream text(String pem) {
    return new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
  }

  private ChannelCredentials trusting(Optional<Credential> shown) throws IOException {
    TlsChannelCredentials.Builder tls =
        TlsChannelCredentials.newBuilder().trustManager(text(Pem.of(authority.certificate())));
    if (shown.isPresent()) {
      tls.keyManager(text(Pem.of(shown.get().certificate())), text(Pem.of(shown.get().key())));
    }
    return tls.build();
  }

  private static Credential caller(Credential of) {
    return of.client("keda", Instant.now().minusSeconds(60), Instant.now().plus(YEAR));
  }

  @Test
  void withACertificateItIsServedOverTls() throws Exception {
    book.number(1);
    int port = serve(Optional.of(keys(false))).port();
    assertThat(client(port, trusting(Optional.empty())).active("ml", WEB)).isTrue();
    assertThat(
            status(() -> client(port, InsecureChannelCredentials.create()).active("ml", WEB))
                .getCode())
        .isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void withAnAuthorityOfCallersOnlyItsHoldersMayCall() throws Exception {
    book.number(1);
    int port = serve(Optional.of(keys(true))).port();
    assertThat(client(port, trusting(Optional.of(caller(authority)))).active("ml", WEB)).isTrue();
    for (Optional<Credential> other :
        List.of(Optional.<Credential>empty(), Optional.of(caller(stranger)))) {
      KedaClient refused = client(port, trusting(other));
      assertThat(status(() -> refused.active("ml", WEB)).getCode())
          .isEqualTo(Status.Code.UNAVAILABLE);
    }
    assertThat(book.asked).hasSize(1);
  }

  @Test
  void theNewestTlsIsSpoken() throws Exception {
    int port = serve(Optional.of(keys(false))).port();
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    KeyStore known = KeyStore.getInstance(KeyStore.getDefaultType());
    known.load(null, null);
    known.setCertificateEntry("authority", authority.certificate());
    trust.init(known);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    try (SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port)) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setProtocols(new String[] {"TLSv1.3"});
      parameters.setApplicationProtocols(new String[] {"h2"});
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      assertThat(socket.getApplicationProtocol()).isEqualTo("h2");
    }
  }
}
