package dev.fallow.core.autoscale;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which labels are wanted, as Kubernetes' label selectors say it; every requirement must hold. */
public record Selector(List<Requirement> requirements) {

  public static final Selector ANY = new Selector(List.of());

  public Selector {
    requirements = List.copyOf(requirements);
  }

  public boolean matches(Map<String, String> labels) {
    return requirements.stream().allMatch(one -> one.holdsFor(labels));
  }

  /** How a label is compared. */
  public enum Operator {
    IN,
    NOT_IN,
    EXISTS,
    DOES_NOT_EXIST
  }

  public record Requirement(String key, Operator operator, Set<String> values) {

    public Requirement {
      values = Set.copyOf(values);
    }

    boolean holdsFor(Map<String, String> labels) {
      String value = labels.get(key);
      return switch (operator) {
        case IN -> value != null && values.contains(value);
        case NOT_IN -> value == null || !values.contains(value);
        case EXISTS -> value != null;
        case DOES_NOT_EXIST -> value == null;
      };
    }
  }
}
