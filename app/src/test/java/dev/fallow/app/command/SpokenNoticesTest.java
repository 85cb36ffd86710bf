package dev.fallow.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.app.Console;
import dev.fallow.app.demo.SimWorkshop;
import dev.fallow.app.notice.NoticeBook;
import dev.fallow.app.notice.NoticeDesk;
import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Delivery;
import dev.fallow.core.notice.RetrySchedule;
import dev.fallow.core.savings.PriceBook;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What single runs say of notices. */
class SpokenNoticesTest {

  private static final String WORKLOAD = "Deployment/nlp/summarizer";

  private final SimWorkshop workshop = new SimWorkshop(7);

  /** One run, and what it says. */
  private String run() {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(said, true, StandardCharsets.UTF_8);
    NoticeDesk desk =
        new NoticeDesk(
            (to, message) -> new Delivery.Confirmed(workshop.now(), "ok"),
            NoticeBook.onTheWorkloads(workshop.actuator()),
            new NoticeDesk.Office(
                List.of(new Address(Address.SLACK, "#gpus")),
                namespace -> List.of(),
                "",
                "",
                false,
                Duration.ofMinutes(5),
                new RetrySchedule(Duration.ofSeconds(10), Duration.ofMinutes(15)),
                PriceBook.standard()),
            workshop::now,
            SpokenNotices.to(new Console(stream, stream, Map.of(), false, false)));
    workshop.pruner().telling(desk).runOnce();
    desk.drain(Duration.ofSeconds(30));
    return said.toString(StandardCharsets.UTF_8);
  }

  @Test
  void runsThatAreTooFarApartSayHowOftenTheyAreNeeded() {
    Instant told = workshop.now();
    assertThat(run()).contains("told of " + WORKLOAD + "; a later run pauses it");

    workshop.pass(Duration.ofHours(3));
    assertThat(run())
        .contains("told of " + WORKLOAD + " at " + told + ", but nobody looked since")
        .contains("run at least every 60 min");

    workshop.pass(Duration.ofHours(1));
    assertThat(run()).doesNotContain("nobody looked");
    assertThat(workshop.annotation(WORKLOAD, "fallow.dev/paused-at"))
        .as("an hour is often enough")
        .isPresent();
  }
}
