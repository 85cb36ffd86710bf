package dev.fallow.adapters.scrape;

import java.net.URI;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * An exporter to look at, and what is known of it besides its address. What is known goes into the
 * labels of its series and wins over what the exporter says there, as it does in a Prometheus that
 * does not honour labels: which pod was scraped is the ground on which core believes a series.
 *
 * @param url with the path, such as {@code http://10.0.0.7:9400/metrics}
 * @param namespace of the exporter's pod; empty if the target was given by hand
 * @param pod the exporter's pod; empty if the target was given by hand
 * @param node the exporter's node; empty if it is not known
 */
public record ScrapeTarget(URI url, String namespace, String pod, String node) {

  /** The job that all series of this source carry. */
  public static final String JOB = "fallow-scrape";

  private static final String ASIDE = "exported_";

  /**
   * @throws IllegalArgumentException if the address is not one of http or https, or holds a
   *     password, which would end up in messages
   */
  public ScrapeTarget {
    String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
    if (url.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
      throw new IllegalArgumentException(
          "an exporter's address has the form http://host:9400/metrics");
    }
    if (url.getRawUserInfo() != null) {
      throw new IllegalArgumentException(
          "an exporter's address may not hold a user or a password: " + url.getHost());
    }
  }

  /** A target of which only the address is known: its series keep the exporter's own labels. */
  public static ScrapeTarget byHand(URI url) {
    return new ScrapeTarget(url, "", "", "");
  }

  /** Host and port, as the label {@code instance} has them. */
  public String instance() {
    int known = url.getPort();
    int usual = url.getScheme().equalsIgnoreCase("https") ? 443 : 80;
    return url.getHost() + ":" + (known < 0 ? usual : known);
  }

  /** The address for people: without the query, which may hold a secret. */
  public String address() {
    String path = url.getRawPath() == null ? "" : url.getRawPath();
    String name = pod.isEmpty() ? "" : " (" + namespace + "/" + pod + ")";
    return url.getScheme() + "://" + instance() + path + name;
  }

  /** The labels of a series as this source gives them on. */
  Map<String, String> attachedTo(Map<String, String> exported) {
    Map<String, String> labels = new HashMap<>(exported);
    if (!namespace.isEmpty() || !pod.isEmpty()) {
      moveAside(labels, "pod");
      moveAside(labels, "namespace");
      moveAside(labels, "container");
    }
    set(labels, "namespace", namespace);
    set(labels, "pod", pod);
    set(labels, "node", node);
    set(labels, "job", JOB);
    set(labels, "instance", instance());
    return labels;
  }

  private static void set(Map<String, String> labels, String name, String value) {
    if (!value.isEmpty()) {
      moveAside(labels, name);
      labels.put(name, value);
    }
  }

  private static void moveAside(Map<String, String> labels, String name) {
    String said = labels.remove(name);
    if (said == null || said.isEmpty()) {
      return;
    }
    String aside = ASIDE + name;
    while (!labels.getOrDefault(aside, "").isEmpty()) {
      aside = ASIDE + aside;
    }
    labels.put(aside, said);
  }
}
