package dev.fallow.adapters.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.core.fleet.ObjectTree;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ObjectParserTest {

  private static final Projection NAMES = Projection.of("metadata.name", "spec.containers.name");

  @Test
  void itemsComeOneByOneAndTheTokenOfTheNextPageIsRead() throws IOException {
    List<ObjectTree> items = new ArrayList<>();

    ListMetadata page =
        ObjectParser.list(
            bytes(
                """
                {"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7","continue":"abc",
                 "remainingItemCount":3},"items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]}
                """),
            NAMES,
            items::add);

    assertThat(page).isEqualTo(new ListMetadata("abc", "7"));
    assertThat(items)
        .extracting(item -> item.textOr("", "metadata", "name"))
        .containsExactly("a", "b");
  }

  @Test
  void orderOfKeysDoesNotMatter() throws IOException {
    List<ObjectTree> items = new ArrayList<>();

    ListMetadata page =
        ObjectParser.list(
            bytes(
                """
                {"items":[{"spec":{"containers":[{"image":"x","name":"c"}]},"metadata":{"name":"a"}}],
                 "metadata":{"continue":"abc"},"apiVersion":"v1"}
                """),
            NAMES,
            items::add);

    assertThat(page.next()).isEqualTo("abc");
    assertThat(items)
        .containsExactly(
            new ObjectTree(
                Map.of(
                    "metadata", Map.of("name", "a"),
                    "spec", Map.of("containers", List.of(Map.of("name", "c"))))));
  }

  @Test
  void whatTheProjectionDoesNotNameIsNotKept() throws IOException {
    ObjectTree pod =
        ObjectParser.object(
            bytes(
                """
                {"metadata":{"name":"p","managedFields":[{"manager":"m","time":"2026-01-01T00:00:00Z",
                  "fieldsV1":{"f:a":{"f:b":{}}}}],"selfLink":"no"},
                 "spec":{"volumes":[{"name":"v"}],"containers":[{"name":"c","env":[{"name":"E"}],
                  "resources":{"limits":{"nvidia.com/gpu":"1"}}}]},"status":{"podIPs":[{"ip":"::1"}]}}
                """),
            Projection.OF_PODS);

    assertThat(pod.fields().toString())
        .doesNotContain("volumes", "env", "podIPs", "fieldsV1", "manager=", "selfLink");
    assertThat(pod.textOr("", "metadata", "name")).isEqualTo("p");
    assertThat(pod.list("metadata", "managedFields").getFirst().text("time")).isPresent();
    assertThat(pod.list("spec", "containers").getFirst().texts("resources", "limits"))
        .containsEntry("nvidia.com/gpu", "1");
  }

  @Test
  void numbersTruthsAndNullsAreRead() throws IOException {
    ObjectTree object =
        ObjectParser.object(
            bytes(
                """
                {"spec":{"replicas":3,"suspend":true,"ratio":0.5,"none":null,
                 "huge":123456789012345678901234567890}}
                """),
            Projection.of("spec"));

    assertThat(object.number("spec", "replicas")).hasValue(3);
    assertThat(object.isTrue("spec", "suspend")).isTrue();
    assertThat(object.text("spec", "ratio")).contains("0.5");
    assertThat(object.has("spec", "none")).isFalse();
    assertThat(object.number("spec", "huge")).isEmpty();
  }

  @Test
  void textOfAnyScriptSurvives() throws IOException {
    String note = "空闲 GPU — Größe 🐑 \\u00e9";
    ObjectTree object =
        ObjectParser.object(
            bytes("{\"metadata\":{\"annotations\":{\"a/ключ\":\"" + note + "\"}}}"),
            Projection.of("metadata.annotations"));

    assertThat(object.texts("metadata", "annotations"))
        .containsEntry("a/ключ", "空闲 GPU — Größe 🐑 é");
  }

  /** As deep as the API server lets a tenant's own object be. */
  @Test
  void nestingBombInASkippedFieldHidesNothing() throws IOException {
    int depth = 9_990;
    String bomb = "[".repeat(depth) + "]".repeat(depth);
    List<ObjectTree> items = new ArrayList<>();

    ObjectParser.list(
        bytes("{\"items\":[{\"x\":" + bomb + ",\"metadata\":{\"name\":\"a\"}}]}"),
        NAMES,
        items::add);

    assertThat(items.getFirst().text("metadata", "name")).contains("a");
  }

  @Test
  void nestingBombInAKeptFieldIsCutAndTheRestIsRead() throws IOException {
    int depth = 9_990;
    String bomb = "{\"a\":".repeat(depth) + "1" + "}".repeat(depth);

    ObjectTree object =
        ObjectParser.object(
            bytes("{\"spec\":{\"x\":" + bomb + ",\"replicas\":2}}"), Projection.of("spec"));

    assertThat(object.number("spec", "replicas")).hasValue(2);
  }

  @Test
  void everyTruncationIsAFailureAndNeverAShorterList() {
    String whole =
        """
        {"metadata":{"continue":"abc"},"items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]}\
        """;
    for (int length = 0; length < whole.length(); length++) {
      String cut = whole.substring(0, length);
      assertThatThrownBy(() -> ObjectParser.list(bytes(cut), NAMES, item -> {}))
          .as(cut)
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void noiseIsAFailureAndNothingWorse() {
    Random random = new Random(25);
    String whole =
        """
        {"metadata":{"continue":"abc"},"items":[{"metadata":{"name":"a","labels":{"k":"v"}}}]}\
        """;
    for (int round = 0; round < 5_000; round++) {
      byte[] noisy = whole.getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < 3; i++) {
        noisy[random.nextInt(noisy.length)] = (byte) random.nextInt(256);
      }
      try {
        ObjectParser.list(new ByteArrayInputStream(noisy), Projection.OF_PODS, item -> {});
      } catch (IOException expected) {
        // Most noise is not JSON.
      }
    }
  }

  @Test
  void sequenceHandsOverEachObjectBeforeTheNextArrives() throws IOException {
    List<String> types = new ArrayList<>();
    InputStream dripping =
        new InputStream() {
          private final byte[] text =
              "{\"type\":\"A\"}\n{\"type\":\"B\"}\n".getBytes(StandardCharsets.UTF_8);
          private int at;

          @Override
          public int read() {
            return at < text.length ? text[at++] : -1;
          }

          @Override
          public int read(byte[] buffer, int offset, int length) {
            if (at == 12) {
              assertThat(types).containsExactly("A");
            }
            int next = read();
            if (next < 0) {
              return -1;
            }
            buffer[offset] = (byte) next;
            return 1;
          }
        };

    ObjectParser.sequence(dripping, Projection.of("type"), e -> types.add(e.textOr("", "type")));

    assertThat(types).containsExactly("A", "B");
  }

  private static InputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }
}
