package dev.fallow.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The API server's own record of who asked for what. An entry may be written a moment after the
 * answer has reached the client: await what you expect.
 */
public final class AuditLog {
  private final Path file;

  AuditLog(Path file) {
    this.file = file;
  }

  /** Every request so far, once each: a watch is listed when it begins. */
  public List<AuditEntry> entries() {
    return entries(entry -> true);
  }

  /** The requests so far that match. */
  public List<AuditEntry> entries(Predicate<AuditEntry> wanted) {
    Map<String, AuditEntry> byRequest = new LinkedHashMap<>();
    completeLines()
        .lines()
        .map(Json::parse)
        .forEach(event -> byRequest.putIfAbsent(event.at("auditID").text(), AuditEntry.of(event)));
    return byRequest.values().stream().filter(wanted).toList();
  }

  /** The requests so far of one user. */
  public List<AuditEntry> of(String user) {
    return entries(entry -> entry.user().equals(user));
  }

  /** The last line may still be in the making. */
  private String completeLines() {
    try {
      String text = Files.exists(file) ? Files.readString(file) : "";
      return text.substring(0, text.lastIndexOf('\n') + 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
