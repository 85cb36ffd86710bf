package dev.fallow.core.autoscale;

import dev.fallow.core.fleet.ObjectTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which labels are wanted, as Kubernetes' label selectors say it; every requirement must hold. */
public record Selector(List<Requirement> requirements) {

  public static final Selector ANY = new Selector(List.of());

  public Selector {
    requirements = List.copyOf(requirements);
  }

  /** As objects write it, with {@code matchLabels} and {@code matchExpressions}. */
  public static Selector of(ObjectTree selector) {
    List<Requirement> requirements = new ArrayList<>();
    selector
        .texts("matchLabels")
        .forEach(
            (key, value) -> requirements.add(new Requirement(key, Operator.IN, Set.of(value))));
    for (ObjectTree expression : selector.list("matchExpressions")) {
      Operator operator =
          switch (expression.textOr("", "operator")) {
            case "NotIn" -> Operator.NOT_IN;
            case "Exists" -> Operator.EXISTS;
            case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
            default -> Operator.IN;
          };
      requirements.add(
          new Requirement(
              expression.textOr("", "key"), operator, new HashSet<>(values(expression))));
    }
    return new Selector(requirements);
  }

  private static List<String> values(ObjectTree expression) {
    List<String> values = new ArrayList<>();
    if (expression.fields().get("values") instanceof List<?> listed) {
      listed.forEach(value -> values.add(String.valueOf(value)));
    }
    return values;
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
