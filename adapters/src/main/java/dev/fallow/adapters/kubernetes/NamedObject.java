package dev.fallow.adapters.kubernetes;

import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.prune.PausableKind;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds an object by the name a person gives: {@code deployment/trainer}. */
public final class NamedObject {

  private final KindCatalog catalog;
  private final ObjectLister lister;

  public NamedObject(KubernetesConnection connection) {
    this.catalog = new KindCatalog(connection.api());
    this.lister = new ObjectLister(connection.api());
  }

  /**
   * @param kind in any case, singular or plural
   * @param group empty if unsaid
   */
  public Optional<ObjectId> find(String kind, String group, String namespace, String name) {
    try {
      return pausable(kind, group)
          .or(() -> catalog.byName(kind, group))
          .flatMap(found -> lister.get(found, namespace, name, Projection.OF_OWNERS))
          .map(ObjectId::of);
    } catch (ApiRefusal refusal) {
      throw refusal.unavailable();
    }
  }

  /** The kinds that can be paused go before others of the same name. */
  private Optional<ResourceKind> pausable(String kind, String group) {
    List<String> qualified =
        Stream.of(PausableKind.values()).flatMap(one -> one.kinds().stream()).toList();
    return qualified.stream()
        .filter(one -> names(one.substring(0, one.indexOf('.')), kind))
        .map(one -> one.split("\\.", 2))
        .filter(
            parts -> group.isEmpty() || group.equals(parts[1]) || group.endsWith("." + parts[1]))
        .flatMap(
            parts -> catalog.find(parts[1].isEmpty() ? "v1" : parts[1] + "/v1", parts[0]).stream())
        .findFirst();
  }

  static boolean names(String kind, String said) {
    String singular = kind.toLowerCase(Locale.ROOT);
    return said.equals(singular) || said.equals(singular + "s");
  }
}
