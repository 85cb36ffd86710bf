package dev.fallow.app.output;

import dev.fallow.core.autoscale.HpaSuggestion;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A proposed autoscaler as a manifest that kubectl takes. */
public final class HpaManifest {

  private static final int WIDTH = 100;

  private final HpaSuggestion hpa;

  public HpaManifest(HpaSuggestion hpa) {
    this.hpa = hpa;
  }

  /** With the reasons in front. */
  public String yaml() {
    StringBuilder text = new StringBuilder();
    comment(text, "Proposed by fallow hpa suggest for " + hpa.scales() + ":", "");
    hpa.reasons().forEach(reason -> comment(text, "- " + reason, "  "));
    return text.append(Fields.yaml(fields())).toString();
  }

  /** Names come from others: whatever could end a comment's line is not printed. */
  private static void comment(StringBuilder text, String sentence, String indent) {
    StringBuilder line = new StringBuilder("#");
    for (String word : sentence.replaceAll("[^\\x20-\\x7e]", "?").split(" +")) {
      if (line.length() > indent.length() + 1 && line.length() + 1 + word.length() > WIDTH) {
        text.append(line).append('\n');
        line = new StringBuilder("#").append(indent);
      }
      line.append(' ').append(word);
    }
    text.append(line).append('\n');
  }

  public Map<String, Object> fields() {
    return map(
        "apiVersion",
        "autoscaling/v2",
        "kind",
        "HorizontalPodAutoscaler",
        "metadata",
        map("name", hpa.scales().name(), "namespace", hpa.scales().namespace()),
        "spec",
        map(
            "scaleTargetRef",
            map(
                "apiVersion",
                hpa.apiVersion(),
                "kind",
                hpa.scales().kind(),
                "name",
                hpa.scales().name()),
            "minReplicas",
            hpa.minReplicas(),
            "maxReplicas",
            hpa.maxReplicas(),
            "metrics",
            List.of(
                map(
                    "type",
                    "Pods",
                    "pods",
                    map(
                        "metric",
                        map("name", hpa.metric()),
                        "target",
                        map("type", "AverageValue", "averageValue", "" + hpa.target())))),
            "behavior",
            map(
                "scaleUp",
                map("policies", List.of(policy("Percent", 100, hpa.growsEvery().toSeconds()))),
                "scaleDown",
                map(
                    "stabilizationWindowSeconds",
                    hpa.settles().toSeconds(),
                    "policies",
                    List.of(policy("Pods", 1, 60))))));
  }

  private static Map<String, Object> policy(String type, int value, long seconds) {
    return map("type", type, "value", value, "periodSeconds", seconds);
  }

  private static Map<String, Object> map(Object... namesAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put(namesAndValues[i].toString(), namesAndValues[i + 1]);
    }
    return map;
  }
}
