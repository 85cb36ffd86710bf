package dev.fallow.app.log;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.fallow.app.settings.LogFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** The lines themselves are the promise here: other programs read them. */
class LogTest {

  private static final String HOSTILE = "a\nb\rc\u001b[31m\u0085\u2028\u202e\"\\\t\0";

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  @AfterEach
  void quiet() throws IOException {
    LogManager.getLogManager().readConfiguration();
  }

  @Test
  void aLineHasItsFieldsAsNamesAndValues() {
    start(LogFormat.DEFAULT);
    Log.info("cycle", "workloads", 12, "idle", 3, "source", "two words", "empty", "", "no", null);
    assertThat(lines().getFirst())
        .matches(
            "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z  INFO fallow: "
                + "cycle workloads=12 idle=3 source=\"two words\" empty=\"\" no=none");
  }

  @Test
  void jsonKeepsNumbersAndTheMessage() throws IOException {
    start(LogFormat.JSON);
    Log.warn("cycle", "workloads", 12, "message", "not the message", "ok", true);
    assertThat(read(lines().getFirst()))
        .containsEntry("level", "WARN")
        .containsEntry("target", "fallow")
        .containsEntry("fields.message", "cycle")
        .containsEntry("fields.workloads", "12")
        .containsEntry("fields.ok", "true")
        .containsKey("timestamp");
  }

  @ParameterizedTest
  @EnumSource(names = {"DEFAULT", "JSON"})
  void whateverIsLoggedIsOneLineThatMovesNoCursor(LogFormat format) {
    start(format);
    Log.info("seen", "name", HOSTILE, HOSTILE, 1);
    Log.info(HOSTILE);
    Log.error("failed", new IllegalStateException(HOSTILE), "name", HOSTILE);
    assertThat(text()).endsWith("\n");
    assertThat(text().substring(0, text().length() - 1).split("\n", -1)).hasSize(3);
    assertThat(text().replace("\n", "").codePoints())
        .noneMatch(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x202e);
  }

  @Test
  void hostileTextComesOutOfJsonAsItWentIn() throws IOException {
    start(LogFormat.JSON);
    Log.info("seen", "name", HOSTILE);
    assertThat(read(lines().getFirst())).containsEntry("fields.name", HOSTILE);
  }

  @Test
  void peopleGetALineForEachFieldAndTheWholeTrace() {
    start(LogFormat.PRETTY);
    Log.error("failed", new IllegalStateException("why"), "name", "x\u001b[31m");
    assertThat(lines().get(0)).endsWith("ERROR  failed");
    assertThat(lines().get(1)).isEqualToIgnoringWhitespace("name: x\ufffd[31m");
    assertThat(text()).contains("  at dev.fallow.app.log.LogTest").doesNotContain("\u001b");
  }

  @Test
  void whatIsThrownIsOnTheLine() throws IOException {
    start(LogFormat.JSON);
    Log.error("failed", new IllegalStateException("why"));
    assertThat(read(lines().getFirst()))
        .containsEntry("fields.error", "java.lang.IllegalStateException: why")
        .hasEntrySatisfying("fields.stack", stack -> assertThat(stack).contains("LogTest.java"));
  }

  @Test
  void librariesLogInTheSameForm() {
    start(LogFormat.DEFAULT);
    LoggerFactory.getLogger("io.fabric8").warn("lost {}\nagain", "watch");
    LoggerFactory.getLogger("io.fabric8").info("chatter");
    Logger.getLogger("jdk").log(Level.WARNING, "{0} of {1}", new Object[] {"one", "two"});
    assertThat(lines()).hasSize(2);
    assertThat(lines().get(0)).endsWith("  WARN io.fabric8: lost watch\\nagain");
    assertThat(lines().get(1)).endsWith("  WARN jdk: one of two");
  }

  @Test
  void aBraceInAMessageIsABrace() {
    start(LogFormat.DEFAULT);
    Log.info("{0} it's", "a", 1);
    Log.info("{0} it's");
    assertThat(lines().get(0)).endsWith("fallow: {0} it's a=1");
    assertThat(lines().get(1)).endsWith("fallow: {0} it's");
  }

  @Test
  void belowItsLevelNothingIsSaid() {
    start(LogFormat.DEFAULT);
    Log.debug("detail");
    assertThat(text()).isEmpty();
  }

  @Test
  void commandsThatAnswerAndEndLoadNoLogging() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.fallow.app", "dev.fallow.app.output", "dev.fallow.app.settings")
        .or()
        .haveSimpleName("Commands")
        .or()
        .haveSimpleName("CommandBuilder")
        .or()
        .haveSimpleName("ReplayCommand")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.fallow.app.log", "java.util.logging", "org.slf4j..")
        .check(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.fallow.app"));
  }

  private void start(LogFormat format) {
    Log.start(
        format, Level.INFO, Level.WARNING, new PrintStream(written, false, StandardCharsets.UTF_8));
  }

  private String text() {
    return written.toString(StandardCharsets.UTF_8);
  }

  private List<String> lines() {
    return text().lines().toList();
  }

  private static Map<String, String> read(String line) throws IOException {
    Map<String, String> values = new LinkedHashMap<>();
    String prefix = "";
    try (JsonParser json = new JsonFactory().createParser(line)) {
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        if (token == JsonToken.START_OBJECT && json.currentName() != null) {
          prefix = json.currentName() + ".";
        } else if (token == JsonToken.END_OBJECT) {
          prefix = "";
        } else if (token.isScalarValue()) {
          values.put(prefix + json.currentName(), json.getText());
        }
      }
    }
    return values;
  }
}
