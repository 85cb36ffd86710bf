package dev.fallow.server.fleet;

import dev.fallow.server.JsonText;
import java.util.AbstractMap;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Fields that are written as JSON when somebody asks first, and then only sent. */
public final class WrittenFields extends AbstractMap<String, Object> {

  private final Map<String, Object> fields;
  private volatile byte @Nullable [] json;

  private WrittenFields(Map<String, Object> fields) {
    this.fields = fields;
  }

  /**
   * @param fields not to be changed from now on
   */
  public static WrittenFields of(Map<String, Object> fields) {
    return fields instanceof WrittenFields written ? written : new WrittenFields(fields);
  }

  /** Not to be changed: everybody is sent the same. */
  public byte[] json() {
    byte[] known = json;
    if (known == null) {
      known = JsonText.bytes(fields);
      json = known;
    }
    return known;
  }

  @Override
  public Set<Map.Entry<String, Object>> entrySet() {
    return Collections.unmodifiableMap(fields).entrySet();
  }

  @Override
  public @Nullable Object get(@Nullable Object name) {
    return fields.get(name);
  }

  @Override
  public boolean containsKey(@Nullable Object name) {
    return fields.containsKey(name);
  }
}
