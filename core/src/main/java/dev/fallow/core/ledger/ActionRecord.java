package dev.fallow.core.ledger;

import dev.fallow.core.fleet.ObjectId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;

/**
 * One thing that was done to a workload, or was tried. Action, verb and outcome together are its
 * identity: recorded again, by a second leader or after a doubtful failure, it is the same record.
 *
 * @param actionId what the workload carries as {@code fallow.dev/action-id}; a pause and its resume
 *     share it
 * @param at to the microsecond, which is what every store keeps
 * @param gpus how many devices it held
 * @param dollarsPerHour what those cost; 0 where nobody has priced them
 * @param reason for machines
 * @param sentence for people
 * @param by who did it
 */
public record ActionRecord(
    String actionId,
    Instant at,
    Verb verb,
    Outcome outcome,
    ObjectId workload,
    int gpus,
    double dollarsPerHour,
    String reason,
    String sentence,
    String by) {

  public ActionRecord {
    at = at.truncatedTo(ChronoUnit.MICROS);
    if (!Double.isFinite(dollarsPerHour)) {
      throw new IllegalArgumentException("a price of " + dollarsPerHour + " is none");
    }
  }

  /** Its identity in a form that every store sorts alike and that holds nobody's text. */
  public String key() {
    String identity = verb + " " + outcome + " " + actionId;
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(identity.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
