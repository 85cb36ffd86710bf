package dev.fallow.app.settings;

import dev.fallow.app.WrongUse;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** A YAML file of settings: one name and one value a line. */
public final class SettingsFile {

  private static final int LARGEST = 1 << 20;

  private SettingsFile() {}

  public static Map<String, String> read(Path file) {
    LoadSettings limits =
        LoadSettings.builder()
            .setAllowDuplicateKeys(false)
            .setMaxAliasesForCollections(0)
            .setCodePointLimit(LARGEST)
            .build();
    try (Reader text = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      Object document = new Load(limits).loadFromReader(text);
      Map<String, String> settings = new LinkedHashMap<>();
      if (document instanceof Map<?, ?> entries) {
        entries.forEach(
            (name, value) -> settings.put(String.valueOf(name), text(file, name, value)));
      } else if (document != null) {
        throw new WrongUse(file + " has to hold names with values, such as \"duration: 30\"");
      }
      return settings;
    } catch (MarkedYamlEngineException malformed) {
      String line =
          malformed.getProblemMark().map(mark -> " at line " + (mark.getLine() + 1)).orElse("");
      throw new WrongUse(file + " is not YAML that can be read: " + malformed.getProblem() + line);
    } catch (YamlEngineException malformed) {
      throw new WrongUse(file + " is not YAML that can be read: " + firstLine(malformed));
    } catch (StackOverflowError tooDeep) {
      throw new WrongUse(file + " is nested too deeply; write one name and one value a line");
    } catch (NoSuchFileException absent) {
      throw new WrongUse(file + " is not there; --config takes the path of a file");
    } catch (CharacterCodingException garbled) {
      throw new WrongUse(file + " is not UTF-8 text");
    } catch (IOException unreadable) {
      throw new WrongUse(file + " cannot be read: " + unreadable.getMessage());
    }
  }

  private static String text(Path file, Object name, @Nullable Object value) {
    return switch (value) {
      case String text -> text;
      case Number number -> number.toString();
      case Boolean truth -> truth.toString();
      case List<?> several -> String.join(",", several.stream().map(String::valueOf).toList());
      case null, default -> throw new WrongUse(file + ": setting " + name + " needs one value");
    };
  }

  private static String firstLine(YamlEngineException malformed) {
    return String.valueOf(malformed.getMessage()).lines().findFirst().orElse("");
  }
}
