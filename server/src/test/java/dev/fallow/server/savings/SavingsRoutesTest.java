package dev.fallow.server.savings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.server.Rejected;
import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import dev.fallow.server.Router;
import dev.fallow.server.access.PretendDoor;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SavingsRoutesTest {

  private final List<SavingsQuery> asked = new ArrayList<>();
  private String key = "ml/trainer";
  private final Router router =
      new Router(
          SavingsRoutes.of(
              (query, sees) -> {
                asked.add(query);
                List<Map<String, Object>> items =
                    List.of("ml", "ops").stream()
                        .filter(sees)
                        .map(namespace -> Map.<String, Object>of("key", key, "busy", -1.5))
                        .toList();
                return new SavingsSource.Savings(
                    Instant.EPOCH, Instant.EPOCH, "USD", items, Map.of());
              },
              new PretendDoor(Map.of("alice", Set.of("ml"), "boss", Set.of("*")), Map.of())));

  private Reply ask(String query, Map<String, String> headers) {
    return router.answer(
        Request.of("GET", URI.create("/api/v1/savings" + query), headers, new byte[0]));
  }

  @Test
  void everybodySeesTheirOwn() {
    assertThat(ask("", Map.of("X-Name", "alice")).bodyText()).containsOnlyOnce("ml/trainer");
    assertThat(ask("", Map.of("X-Name", "boss")).bodyText().split("ml/trainer")).hasSize(3);
  }

  @Test
  void oneNamespaceCanBeAskedForByWhomItCountsFor() {
    assertThat(ask("?namespace=ml", Map.of("X-Name", "boss")).bodyText())
        .containsOnlyOnce("ml/trainer");
    assertThat(ask("?namespace=ops", Map.of("X-Name", "alice")).bodyText())
        .doesNotContain("ml/trainer");
  }

  @Test
  void nothingIsReadForNobody() {
    assertThatThrownBy(() -> ask("", Map.of())).isInstanceOf(Rejected.class);
    assertThat(asked).isEmpty();
  }

  @Test
  void aNameIsNoFormulaInASpreadsheet() {
    key = "=cmd()";
    String csv = ask("", Map.of("X-Name", "alice", "Accept", "text/csv")).bodyText();
    assertThat(csv).contains("'=cmd()").contains("-1.5").doesNotContain("\n=cmd()");
  }
}
