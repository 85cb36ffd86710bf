package dev.fallow.rig;

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
  private final long offset;

  AuditLog(Path file) {
    this(file, 0);
  }

  private AuditLog(Path file, long offset) {
    this.file = file;
    this.offset = offset;
  }

  /** The same log without what it holds by now: a long run need not read all of it each time. */
  public AuditLog fromHere() {
    return new AuditLog(file, RigFolder.size(file));
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

  /** The last line may still be in the making, and so was the first when the offset was taken. */
  private String completeLines() {
    String text = RigFolder.since(file, Math.max(0, offset - 1));
    int begin = offset == 0 ? 0 : text.indexOf('\n') + 1;
    return text.substring(begin, Math.max(begin, text.lastIndexOf('\n') + 1));
  }
}
