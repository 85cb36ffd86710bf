package dev.fallow.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PromisedTestsTest {

  private static final Path ROOT = Path.of(System.getProperty("fallow.root"));

  /** A class of tests or cases in backticks, perhaps with a folder before it and a method after. */
  private static final Pattern NAMED =
      Pattern.compile("`(?:[a-z-]+/)?([A-Z]\\w*(?:Test|Cases|Contract))(?:\\.(\\w+))?`");

  @Test
  void everyTestThatAPromiseNamesExists() throws IOException {
    Map<String, String> tests = tests();
    List<MatchResult> named =
        NAMED.matcher(Files.readString(ROOT.resolve("docs/promises.md"))).results().toList();
    assertThat(named).hasSizeGreaterThan(50);
    assertThat(named)
        .allSatisfy(name -> {
          assertThat(tests).as(name.group()).containsKey(name.group(1));
          if (name.group(2) != null) {
            assertThat(tests.get(name.group(1)))
                .as(name.group())
                .contains(" " + name.group(2) + "(");
          }
        });
  }

  private static Map<String, String> tests() throws IOException {
    Map<String, String> tests = new TreeMap<>();
    for (String module : List.of("core", "adapters", "server", "app", "sim", "system-tests")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .forEach(file ->
                tests.merge(
                    file.getFileName().toString().replace(".java", ""),
                    text(file),
                    String::concat));
      }
    }
    return tests;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
