package dev.fallow.server.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.ledger.ActionRecord;
import dev.fallow.core.ledger.GpuState;
import dev.fallow.core.ledger.GpuTime;
import dev.fallow.core.ledger.Outcome;
import dev.fallow.core.ledger.Span;
import dev.fallow.core.ledger.Verb;
import dev.fallow.core.report.Extract;
import dev.fallow.core.report.Report;
import dev.fallow.core.savings.PriceBook;
import dev.fallow.server.Rejected;
import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import dev.fallow.server.Router;
import dev.fallow.server.access.PretendDoor;
import java.io.StringReader;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xml.sax.InputSource;

class ReportRoutesTest {

  private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");
  private static final String HOSTILE =
      "\"><script>alert(1)</script><img src=x onerror='x'>&amp;\u202e\u0007";

  private final List<Optional<Instant>> asked = new ArrayList<>();
  private final Router router =
      new Router(
          ReportRoutes.of(
              (from, to, sees) -> {
                asked.add(from);
                asked.add(to);
                return report(sees);
              },
              new PretendDoor(Map.of("alice", Set.of("ml"), "root", Set.of("*")), Map.of())));

  private static Report report(Predicate<String> sees) {
    List<GpuTime> times =
        List.of(
            time("Deployment/ml/t", "ml", "vision", GpuState.IDLE, 4),
            time("Deployment/ops/x", "ops", HOSTILE, GpuState.BUSY, 8),
            time(HOSTILE, "ops", HOSTILE, GpuState.IDLE, 1));
    ObjectId hostile = new ObjectId("", HOSTILE, "ops", HOSTILE, "u");
    List<ActionRecord> actions =
        List.of(
            new ActionRecord(
                "a", NOON, Verb.PAUSE, Outcome.DONE, hostile, 8, 1, "R", "s", "fallow"),
            new ActionRecord(
                "b",
                NOON.plusSeconds(60),
                Verb.RESUME,
                Outcome.DONE,
                hostile,
                8,
                1,
                "R",
                "s",
                HOSTILE));
    return Report.of(
        new Extract(
            new Span(NOON, NOON.plus(Duration.ofDays(7))),
            times.stream().filter(time -> sees.test(time.namespace())).toList(),
            List.of(),
            actions.stream().filter(one -> sees.test(one.workload().namespace())).toList()),
        PriceBook.standard());
  }

  private static GpuTime time(
      String workload, String namespace, String team, GpuState state, long hours) {
    return new GpuTime(
        NOON, workload, namespace, team, "Tesla T4", false, state, hours * GpuTime.CARD_HOUR);
  }

  private Reply ask(String who, String query) {
    return router.answer(
        Request.of(
            "GET", URI.create("/api/v1/report" + query), Map.of("X-Name", who), new byte[0]));
  }

  @Test
  void aReportIsOfTheNamespacesThatWhoAsksMaySee() {
    assertThat(ask("alice", "").bodyText())
        .contains("\"total\":{\"busy\":0.0,\"idle\":4.0")
        .contains("\"wastedDollars\":2.0")
        .contains("\"regrets\":{\"pauses\":0,\"regretted\":0")
        .doesNotContain("ops");
    assertThat(ask("root", "").bodyText())
        .contains("\"total\":{\"busy\":8.0,\"idle\":5.0")
        .contains("\"regrets\":{\"pauses\":1,\"regretted\":1,\"share\":1.0");
    assertThat(ask("nobody", "").bodyText()).contains("\"namespaces\":[]");
    assertThat(ask("root", "?namespace=ml").bodyText())
        .isEqualTo(ask("alice", "?namespace=ml").bodyText())
        .contains("\"total\":{\"busy\":0.0,\"idle\":4.0");
    assertThat(ask("alice", "?namespace=ops").bodyText()).contains("\"namespaces\":[]");
  }

  @Test
  void thePageIsWholeWithoutScriptOrRequestAndHostileNamesStayText() throws Exception {
    Reply reply = ask("root", "?format=html");
    String page = reply.bodyText();

    assertThat(reply.headers().get("Content-Type")).isEqualTo("text/html; charset=utf-8");
    assertThat(reply.headers().get("Content-Security-Policy"))
        .startsWith("default-src 'none'; style-src 'sha256-")
        .doesNotContain("unsafe");
    assertThat(page)
        .contains("&lt;script&gt;alert(1)&lt;/script&gt;")
        .doesNotContain("<script", "<img", "url(", "\u202e", "\u0007")
        .doesNotContainPattern("<[^>]*\\s(src|href|style|on[a-z]+)=")
        .contains("lang=\"en\"", "<caption>", "scope=\"row\"", "role=\"img\"")
        .contains("prefers-color-scheme: dark");
    // Each element that is opened is closed: a name cannot have broken out of its place.
    String body = page.substring(page.indexOf("<main>"), page.indexOf("</body>"));
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(body)));
  }

  @Test
  void thePeriodReachesTheSource() {
    ask("root", "?from=2026-11-02T12:00:00Z&to=2026-11-09T12:00:00Z");
    assertThat(asked)
        .containsExactly(Optional.of(NOON), Optional.of(NOON.plus(Duration.ofDays(7))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "?format=pdf",
        "?from=yesterday",
        "?form=html",
        "?from=2026-11-02T12:00:00Z&to=2026-11-02T12:00:00Z"
      })
  void whatCannotBeUnderstoodIsRefused(String query) {
    assertThatThrownBy(() -> ask("root", query)).isInstanceOf(Rejected.class);
  }
}
