package dev.fallow.core.notice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.notice.Address.Parsed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "slack:#ml-team",
        "slack:#größe_1",
        "slack:@U0123ABC",
        "slack:C0123ABCD",
        "mail:alice@example.com",
        "mail:o'neil+gpu@mail.example.co.uk",
        "teams:ml",
        "webhook:pager-2"
      })
  void anAddressIsReadAndWrittenTheSame(String text) {
    assertThat(Address.parse(" " + text + "\n"))
        .isInstanceOfSatisfying(
            Parsed.Valid.class, valid -> assertThat(valid.address().text()).isEqualTo(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "alice@example.com",
        "#ml-team",
        "SLACK:#ml",
        "slack:",
        "slack:ml-team",
        "slack:@alice",
        "slack:#a b",
        "slack:#a\nb",
        "slack:<!channel>",
        "mail:alice",
        "mail:a@b.com,c@d.com",
        "mail:Alice <a@b.com>",
        "mail:a@b.com\r\nRCPT TO:<c@d.com>",
        "mail:a@-b.com",
        "mail:.a@b.com",
        "teams:https://example.com/x",
        "webhook:http://169.254.169.254/latest",
        "webhook:-x",
        "sms:123"
      })
  void whatIsNoAddressIsAProblemWithACure(String text) {
    assertThat(Address.parse(text))
        .isInstanceOfSatisfying(
            Parsed.Problem.class, problem -> assertThat(problem.sentence()).contains("such as"));
  }

  @Test
  void aProblemDoesNotRepeatASecretWrittenByMistake() {
    String secret = "https://hooks.slack.com/services/T0/B0/s3cr3t";

    for (String text : new String[] {secret, "slack:" + secret, "teams:" + secret}) {
      assertThat(Address.parse(text).toString()).doesNotContain("s3cr3t", "hooks");
    }
  }

  @Test
  void anEndlessAddressIsAProblem() {
    assertThat(Address.parse("mail:" + "a".repeat(100_000) + "@example.com"))
        .isInstanceOf(Parsed.Problem.class);
  }
}
