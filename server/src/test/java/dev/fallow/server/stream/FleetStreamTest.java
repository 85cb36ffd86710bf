package dev.fallow.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.server.Body;
import dev.fallow.server.HttpFront;
import dev.fallow.server.Request;
import dev.fallow.server.Router;
import dev.fallow.server.access.Caller;
import dev.fallow.server.access.Door;
import dev.fallow.server.access.PretendDoor;
import dev.fallow.server.fleet.FleetPicture;
import dev.fallow.server.fleet.WorkloadItem;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FleetStreamTest {

  private volatile boolean tokensEnded;
  private final PretendDoor people =
      new PretendDoor(Map.of("alice", Set.of("ml"), "boss", Set.of("*")), Map.of());
  private final FleetStream stream =
      new FleetStream(new Ending(), Duration.ofMillis(200), Duration.ofSeconds(60));

  private final class Ending implements Door {
    @Override
    public Caller caller(Request request) {
      return tokensEnded ? Caller.NOBODY : people.caller(request);
    }

    @Override
    public boolean sees(Caller caller, String namespace) {
      return people.sees(caller, namespace);
    }

    @Override
    public boolean changes(Caller caller, String namespace, String kind, String name) {
      return false;
    }

    @Override
    public List<String> signIn() {
      return List.of();
    }

    @Override
    public String cure() {
      return "";
    }
  }

  private final HttpFront front =
      HttpFront.start("127.0.0.1", 0, new Router(stream.routes()), defect -> {});

  @AfterEach
  void stop() {
    front.stop(Duration.ZERO);
  }

  @Test
  void aListenerGetsEverythingFirstAndThenWhatChanges() throws Exception {
    stream.publish(picture(1, item("ml", "a", 1), item("research", "b", 1)), List.of());
    try (BufferedReader boss = listen("boss")) {
      assertThat(event(boss)).contains("\"whole\":true").contains("ml/a").contains("research/b");
      stream.publish(
          picture(2, item("ml", "a", 1), item("ml", "c", 1)),
          List.of(Map.of("workload", "Deployment/ml/c", "namespace", "ml")));
      assertThat(event(boss))
          .contains("\"whole\":false")
          .containsPattern("\"changed\":\\[\\{[^{}]*\"Deployment/ml/c\"[^{}]*}]")
          .contains("\"altered\":[]")
          .contains("\"gone\":[\"Deployment/research/b\"]");
      assertThat(event(boss)).contains("event: history").contains("ml/c");
    }
  }

  @Test
  void nobodyHearsOfNamespacesTheyMayNotSee() throws Exception {
    stream.publish(picture(1, item("ml", "a", 1), item("research", "b", 1)), List.of());
    try (BufferedReader boss = listen("boss");
        BufferedReader alice = listen("alice")) {
      // What was written for one who sees everything is not what another is sent.
      assertThat(event(boss)).contains("research");
      assertThat(event(alice)).contains("ml/a").doesNotContain("research");
      stream.publish(
          picture(2, item("ml", "a", 2)),
          List.of(Map.of("workload", "Deployment/research/b", "namespace", "research")));
      assertThat(event(boss)).contains("event: fleet");
      assertThat(event(boss)).contains("event: history").contains("research");
      assertThat(event(alice)).contains("ml/a").doesNotContain("research");
      stream.publish(picture(3, item("ml", "a", 3)), List.of());
      assertThat(event(alice)).as("no history between").contains("event: fleet", "ml/a");
    }
  }

  @Test
  void everyListenerIsToldTheTotalsOfWhatTheyMaySee() throws Exception {
    FleetPicture both =
        new FleetPicture(
            1,
            Instant.EPOCH,
            List.of(item("ml", "a", 1), item("research", "b", 4)),
            Map.of("wastedPerHour", 5.0, "gpus", Map.of("idle", 2, "free", 3)),
            List.of());
    stream.publish(both, List.of());
    try (BufferedReader alice = listen("alice");
        BufferedReader boss = listen("boss")) {
      assertThat(event(boss)).contains("\"wastedPerHour\":5.0").doesNotContain("partial");
      assertThat(event(alice))
          .contains("\"wastedPerHour\":1.0")
          .contains("\"idle\":1")
          .contains("\"free\":3")
          .contains("\"partial\":true");
    }
  }

  @Test
  void ofARowOnlyWhatHasBecomeOfItIsSaid() throws Exception {
    stream.publish(
        picture(1, curve("idle", 0, 0, 0, 0, 0, 0), curve("busy", 5, 6, 7, 8, 9, 9)), List.of());
    try (BufferedReader boss = listen("boss")) {
      assertThat(event(boss)).contains("\"spark\":[0.0,", "\"spark\":[0.5,");
      stream.publish(
          picture(121, curve("idle", 0, 0, 0, 0, 0, 0), curve("busy", 7, 8, 9, 9, 2, 1)),
          List.of());
      assertThat(event(boss))
          .contains("\"steps\":2")
          .contains("\"changed\":[]")
          .contains("\"altered\":[{\"workload\":\"Deployment/ml/busy\",\"sparkNew\":[0.2,0.1]}]");
    }
  }

  @Test
  void whoSeesTheSameIsSentTheSameBytes() {
    FleetPicture picture = picture(1, item("ml", "a", 1), item("research", "b", 1));
    Frame frame = Frame.after(1, FleetPicture.NONE, picture, List.of());
    Body first = frame.body(true, Set.of("ml")::contains);
    assertThat(frame.body(true, Set.of("ml", "elsewhere")::contains)).isSameAs(first);
    assertThat(frame.body(true, Set.of("research")::contains)).isNotSameAs(first);
  }

  @Test
  void whoDoesNotTakeWhatIsSentIsCutOff() throws Exception {
    FleetStream impatient =
        new FleetStream(PretendDoor.OPEN, Duration.ofMillis(200), Duration.ofMillis(300));
    String much = "x".repeat(1 << 20);
    WorkloadItem[] items = new WorkloadItem[32];
    for (int i = 0; i < items.length; i++) {
      items[i] = item("ml", i + much, 1);
    }
    impatient.publish(picture(1, items), List.of());
    HttpFront own = HttpFront.start("127.0.0.1", 0, new Router(impatient.routes()), defect -> {});
    try (Socket deaf = new Socket()) {
      deaf.setReceiveBufferSize(4096);
      deaf.connect(new InetSocketAddress("127.0.0.1", own.port()));
      deaf.getOutputStream()
          .write(
              "GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      StringBuilder begun = new StringBuilder();
      while (begun.indexOf("event: fleet") < 0) {
        begun.append((char) deaf.getInputStream().read());
      }
      Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> impatient.listeners() == 0);
    } finally {
      own.stop(Duration.ZERO);
    }
  }

  @Test
  void aStreamEndsWithTheTokenThatOpenedIt() throws Exception {
    stream.publish(picture(1, item("ml", "a", 1)), List.of());
    try (BufferedReader boss = listen("boss")) {
      event(boss);
      tokensEnded = true;
      stream.publish(picture(2, item("ml", "b", 1)), List.of());
      assertThat(boss.lines()).noneMatch(line -> line.contains("ml/b"));
    }
  }

  @Test
  void whoHasGoneTakesNoPlace() throws Exception {
    stream.publish(picture(1, item("ml", "a", 1)), List.of());
    try (BufferedReader boss = listen("boss")) {
      event(boss);
      assertThat(stream.listeners()).isEqualTo(1);
    }
    Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> stream.listeners() == 0);
  }

  @Test
  void nobodyTakesThePlacesOfOthers() throws Exception {
    stream.publish(picture(1, item("ml", "a", 1)), List.of());
    List<BufferedReader> tabs = new ArrayList<>();
    try {
      for (int i = 0; i < 20; i++) {
        tabs.add(listen("boss"));
        assertThat(event(tabs.getLast())).contains("event: fleet");
      }
      tabs.add(listen("boss"));
      assertThat(event(tabs.getLast())).contains("event: full");
      tabs.add(listen("alice"));
      assertThat(event(tabs.getLast())).contains("event: fleet");
    } finally {
      for (BufferedReader tab : tabs) {
        tab.close();
      }
    }
    Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> stream.listeners() == 0);
    try (BufferedReader boss = listen("boss")) {
      assertThat(event(boss)).contains("event: fleet");
    }
  }

  @Test
  void theServerStopsWithoutWaitingForListeners() throws Exception {
    stream.publish(picture(1, item("ml", "a", 1)), List.of());
    BufferedReader boss = listen("boss");
    event(boss);
    assertThat(front.stop(Duration.ofSeconds(30))).isTrue();
  }

  private BufferedReader listen(String name) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + front.port() + "/api/v1/stream"))
            .header("X-Name", name)
            .build();
    return new BufferedReader(
        new InputStreamReader(
            HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofInputStream())
                .body(),
            StandardCharsets.UTF_8));
  }

  /** The next event that says something. */
  private static String event(BufferedReader in) throws IOException {
    StringBuilder event = new StringBuilder();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.isEmpty()) {
        if (event.indexOf("data:") >= 0) {
          return event.toString();
        }
        event.setLength(0);
      } else {
        event.append(line).append('\n');
      }
    }
    throw new IOException("the stream has ended");
  }

  private static FleetPicture picture(long number, WorkloadItem... items) {
    return new FleetPicture(
        number, Instant.EPOCH.plusSeconds(number), List.of(items), Map.of(), List.of());
  }

  private static WorkloadItem curve(String name, int... tenths) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("workload", "Deployment/ml/" + name);
    fields.put("spark", Arrays.stream(tenths).mapToObj(tenth -> tenth / 10.0).toList());
    fields.put("sparkStep", 60);
    return item("ml", name, 0, fields);
  }

  private static WorkloadItem item(String namespace, String name, double waste) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("workload", "Deployment/" + namespace + "/" + name);
    fields.put("wastedPerHour", waste);
    return item(namespace, name, waste, fields);
  }

  private static WorkloadItem item(
      String namespace, String name, double waste, Map<String, Object> fields) {
    String workload = "Deployment/" + namespace + "/" + name;
    return new WorkloadItem(
        workload,
        namespace,
        "Deployment",
        name,
        "IDLE",
        "IDLE",
        workload,
        waste,
        waste,
        1,
        OptionalDouble.empty(),
        Optional.empty(),
        fields);
  }
}
