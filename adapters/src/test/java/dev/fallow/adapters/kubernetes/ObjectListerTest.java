package dev.fallow.adapters.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.rig.Json;
import dev.fallow.rig.Part;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("rig")
@ExtendWith(RigFailureReport.class)
class ObjectListerTest {

  private static Rig rig;

  @BeforeAll
  static void startRig() {
    rig = Rig.builder().user("operator", "system:masters").start();
  }

  @AfterAll
  static void closeRig() {
    rig.close();
  }

  /** A list read so slowly that the server has forgotten the moment its first page showed. */
  @Test
  void listWhoseRestIsGoneIsBegunAnew() {
    for (int i = 0; i < 6; i++) {
      TestCluster.create(rig, TestCluster.pods("default"), TestCluster.gpuPod("p" + i, "[]", 1));
    }
    AtomicInteger sinks = new AtomicInteger();
    List<String> names = new ArrayList<>();
    try (KubernetesConnection connection = TestCluster.connect(rig, "operator")) {
      new ObjectLister(connection.api())
          .list(
              new ObjectLister.Query(ResourceKind.PODS, "default", Projection.OF_PODS, 4, false),
              () -> {
                names.clear();
                boolean first = sinks.incrementAndGet() == 1;
                return pod -> {
                  names.add(pod.textOr("", "metadata", "name"));
                  if (first && names.size() == 4) {
                    forgetThePast();
                  }
                };
              });
    }

    assertThat(sinks).hasValue(2);
    assertThat(names).containsExactly("late", "p0", "p1", "p2", "p3", "p4", "p5");
  }

  private static void forgetThePast() {
    TestCluster.create(rig, TestCluster.pods("default"), TestCluster.gpuPod("late", "[]", 1));
    compactEtcd();
    rig.process(Part.API_SERVER).kill();
    rig.process(Part.API_SERVER).start();
  }

  private static void compactEtcd() {
    String status = etcd("/v3/kv/range", "{\"key\":\"AA==\"}");
    String revision = Json.parse(status).at("header", "revision").text();
    etcd("/v3/kv/compaction", "{\"revision\":\"" + revision + "\",\"physical\":true}");
  }

  private static String etcd(String path, String body) {
    URI uri = URI.create("http://127.0.0.1:" + rig.process(Part.ETCD).port() + path);
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> response =
          http.send(
              HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.ofString(body)).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
      return response.body();
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
