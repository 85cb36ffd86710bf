package dev.fallow.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LargeAnswersTest {

  private final LargeAnswers answers = new LargeAnswers(1, Duration.ofMillis(50));

  private Reply ask(int size) {
    return answers.answer(() -> Reply.of(200, "text/plain", new byte[size]));
  }

  @Test
  void aLargeAnswerKeepsItsPlaceUntilItIsSent() {
    Reply first = ask(LargeAnswers.LARGE + 1);
    Reply second = ask(1);
    assertThat(second.status()).isEqualTo(503);
    assertThat(second.headers()).containsEntry("Retry-After", "2");
    first.afterwards().run();
    assertThat(ask(1).status()).isEqualTo(200);
  }

  @Test
  void aSmallOneLeavesAtOnce() {
    for (int i = 0; i < 3; i++) {
      assertThat(ask(LargeAnswers.LARGE).status()).isEqualTo(200);
    }
  }

  @Test
  void oneThatCannotBeMadeLeavesToo() {
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() ->
              answers.answer(() -> {
                throw new Rejected(Problem.notFound());
              }))
          .isInstanceOf(Rejected.class);
    }
    assertThat(ask(1).status()).isEqualTo(200);
  }
}
