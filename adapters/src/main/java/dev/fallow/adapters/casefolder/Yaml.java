package dev.fallow.adapters.casefolder;

import dev.fallow.core.fleet.ObjectTree;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** YAML files of a case folder, read with limits: nothing in them can make us grow without end. */
final class Yaml {

  private static final int LARGEST = 512 << 20;

  private Yaml() {}

  /** The documents of a file, each of which has to be a mapping; empty documents are left out. */
  static List<ObjectTree> documents(Path file) throws UnreadableCase {
    LoadSettings limits =
        LoadSettings.builder()
            .setLabel(file.getFileName().toString())
            .setAllowDuplicateKeys(false)
            .setMaxAliasesForCollections(50)
            .setCodePointLimit(LARGEST)
            .build();
    List<ObjectTree> documents = new ArrayList<>();
    try (Reader text = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      for (Object document : new Load(limits).loadAllFromReader(text)) {
        if (document != null) {
          documents.add(tree(document, file));
        }
      }
    } catch (NoSuchFileException absent) {
      throw new UnreadableCase(file + " is missing", absent);
    } catch (CharacterCodingException garbled) {
      throw new UnreadableCase(file + " is not UTF-8 text", garbled);
    } catch (MarkedYamlEngineException malformed) {
      throw new UnreadableCase(
          file
              + ": "
              + malformed.getProblem()
              + malformed
                  .getProblemMark()
                  .map(mark -> " at line " + (mark.getLine() + 1))
                  .orElse(""),
          malformed);
    } catch (YamlEngineException malformed) {
      if (malformed.getCause() instanceof CharacterCodingException garbled) {
        throw new UnreadableCase(file + " is not UTF-8 text", garbled);
      }
      throw new UnreadableCase(file + ": " + malformed.getMessage(), malformed);
    } catch (IOException unreadable) {
      throw new UnreadableCase(file + " cannot be read: " + unreadable.getMessage(), unreadable);
    } catch (StackOverflowError tooDeep) {
      throw new UnreadableCase(file + " is nested too deeply", tooDeep);
    }
    return documents;
  }

  @SuppressWarnings("unchecked") // ObjectTree only ever looks keys up
  private static ObjectTree tree(Object document, Path file) throws UnreadableCase {
    if (document instanceof Map<?, ?> mapping) {
      return new ObjectTree((Map<String, Object>) mapping);
    }
    throw new UnreadableCase(file + ": a document has to be a mapping of names to values");
  }
}
