package dev.fallow.adapters.casefolder;

import java.util.Map;
import java.util.Optional;

/**
 * What a case expects of one workload; an absent field is not compared.
 *
 * @param others further fields of the output, by their names
 */
public record Expectation(
    String workload,
    Optional<String> verdict,
    Optional<String> reason,
    Optional<String> action,
    Map<String, String> others) {

  public Expectation {
    others = Map.copyOf(others);
  }
}
