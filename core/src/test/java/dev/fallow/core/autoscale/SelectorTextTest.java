package dev.fallow.core.autoscale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.autoscale.SelectorText.Parsed;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SelectorTextTest {

  private static final Map<String, String> LABELS =
      Map.of("app", "web", "tier", "", "fallow.dev/team", "vision", "in", "notin");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"\" | true",
        "\"  \" | true",
        "app | true",
        "!app | false",
        "! app | false",
        "gone | false",
        "!gone | true",
        "app=web | true",
        "app==web | true",
        " app = web | true",
        "app=db | false",
        "app!=db | true",
        "app!=web | false",
        "gone!=web | true",
        "gone=web | false",
        "tier= | true",
        "tier=,app | true",
        "app= | false",
        "app in (web) | true",
        "app in (db,web) | true",
        "app in ( db , web ) | true",
        "app in (db) | false",
        "app notin (db) | true",
        "app notin (web,db) | false",
        "gone notin (web) | true",
        "tier in () | true",
        "tier in (,x) | true",
        "app in (,x) | false",
        "app=web,fallow.dev/team in (vision,speech),!gone | true",
        "app=web,fallow.dev/team=speech | false",
        "in=notin | true",
        "in in (notin) | true",
        "app=in | false",
      })
  void aSelectorMeansWhatItMeansToTheApiServer(String text, boolean fits) {
    assertThat(SelectorText.parse(text))
        .isInstanceOfSatisfying(
            Parsed.Read.class, read -> assertThat(read.selector().matches(LABELS)).isEqualTo(fits));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ",",
        "app,",
        ",app",
        "app,,tier",
        "app=web,",
        "=web",
        "!",
        "!!app",
        "app=a=b",
        "app===web",
        "app!web",
        "app in web",
        "app in (",
        "app in (web",
        "app in (web db)",
        "app in (web))",
        "app notin",
        "app>3",
        "app<3",
        "app web",
        "a/b/c=d",
        "/app=web",
        "app/=web",
        "UPPER.example/app=web",
        "-app=web",
        "app=-web",
        "app=web/db",
        "app='web'",
        "app=\"web\"",
        "app=w\u00e9b",
        "app\u0000=web",
        "app=web;drop",
        "{__name__=~'.+'}",
        "app=%2A",
        "*",
        "app=*"
      })
  void whatCannotBeReadIsNeverTakenForAny(String text) {
    assertThat(SelectorText.parse(text))
        .isInstanceOfSatisfying(
            Parsed.Unreadable.class, unreadable -> assertThat(unreadable.why()).isNotBlank());
  }

  @Test
  void lengthsAreThoseOfLabels() {
    assertThat(SelectorText.parse("a=" + "x".repeat(63))).isInstanceOf(Parsed.Read.class);
    assertThat(SelectorText.parse("a=" + "x".repeat(64))).isInstanceOf(Parsed.Unreadable.class);
    assertThat(SelectorText.parse("x".repeat(64))).isInstanceOf(Parsed.Unreadable.class);
    assertThat(SelectorText.parse("d".repeat(254) + "/x")).isInstanceOf(Parsed.Unreadable.class);
    assertThat(SelectorText.parse("a,".repeat(10_000) + "a")).isInstanceOf(Parsed.Unreadable.class);
  }

  /** Whatever comes, there is an answer; and what was read says the same when written again. */
  @Test
  void noTextBreaksIt() {
    String alphabet = "ab1-_./=!<>(), intno\t\u00e9*";
    Random random = new Random(6);
    int read = 0;
    for (int i = 0; i < 200_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(14); length > 0; length--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      if (SelectorText.parse(text.toString()) instanceof Parsed.Read(Selector selector)) {
        read++;
        assertThat(SelectorText.parse(written(selector))).isEqualTo(new Parsed.Read(selector));
      }
    }
    assertThat(read).isGreaterThan(1000);
  }

  private static String written(Selector selector) {
    StringBuilder text = new StringBuilder();
    for (Selector.Requirement one : selector.requirements()) {
      text.append(text.isEmpty() ? "" : ",");
      String values = "(" + String.join(",", one.values()) + ")";
      text.append(
          switch (one.operator()) {
            case IN -> one.key() + " in " + values;
            case NOT_IN -> one.key() + " notin " + values;
            case EXISTS -> one.key();
            case DOES_NOT_EXIST -> "!" + one.key();
          });
    }
    return text.toString();
  }
}
