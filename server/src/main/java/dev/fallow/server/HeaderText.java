package dev.fallow.server;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Headers as their senders meant them. The server reads each byte as a letter; names of users and
 * groups outside of ASCII are sent in UTF-8. What is no UTF-8 stays as it was read.
 */
final class HeaderText {

  private HeaderText() {}

  static Map<String, List<String>> of(Map<String, List<String>> read) {
    Map<String, List<String>> meant = new LinkedHashMap<>();
    read.forEach(
        (name, values) -> meant.put(name, values.stream().map(HeaderText::meant).toList()));
    return meant;
  }

  private static String meant(String value) {
    if (value.chars().allMatch(letter -> letter < 0x80)) {
      return value;
    }
    byte[] sent = value.getBytes(StandardCharsets.ISO_8859_1);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(sent)).toString();
    } catch (CharacterCodingException otherwise) {
      return value;
    }
  }
}
