package dev.fallow.systemtests;

import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** JSON text as the maps it stands for; every JSON text is YAML too. */
final class JsonMaps {

  private JsonMaps() {}

  static Map<String, Object> parse(String text) {
    return CaseLoader.cast(
        new Load(LoadSettings.builder().setCodePointLimit(64 << 20).build()).loadFromString(text));
  }
}
