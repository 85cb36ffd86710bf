package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ObjectTree;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Lists objects page by page, all pages of the same moment, and gets single ones. Lists are
 * consistent reads: the server answers with nothing older than the question.
 */
final class ObjectLister {

  private static final String METADATA_ONLY =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

  private final ApiServer api;

  ObjectLister(ApiServer api) {
    this.api = api;
  }

  /**
   * What to list.
   *
   * @param namespace empty for all
   * @param pageSize larger pages are fewer requests, and more for the server to hold at once
   * @param metadataOnly leaves out spec and status on the server's side
   */
  record Query(
      ResourceKind kind,
      String namespace,
      Projection projection,
      int pageSize,
      boolean metadataOnly) {

    private String path(String next) {
      String query = "?limit=" + pageSize;
      return kind.path(namespace)
          + query
          + (next.isEmpty() ? "" : "&continue=" + ResourceKind.encoded(next));
    }
  }

  /**
   * Hands over every object as soon as it is read. The rest of a list may be gone when the reading
   * was slow; it is then begun anew, once, with another sink.
   *
   * @return the moment that the list shows
   * @throws ApiRefusal when the server answers otherwise
   */
  String list(Query query, Supplier<Consumer<ObjectTree>> sinks) {
    try {
      return pages(query, sinks.get());
    } catch (ApiRefusal refusal) {
      if (refusal.expired()) {
        return pages(query, sinks.get());
      }
      throw refusal;
    }
  }

  private String pages(Query query, Consumer<ObjectTree> sink) {
    String next = "";
    String version = "";
    do {
      ListMetadata page = page(query, next, sink);
      if (page.next().equals(next) && !next.isEmpty()) {
        throw new Unavailable("kubernetes", "the API server repeats a page; try again", true);
      }
      next = page.next();
      version = version.isEmpty() ? page.version() : version;
    } while (!next.isEmpty());
    return version;
  }

  private ListMetadata page(Query query, String next, Consumer<ObjectTree> sink) {
    String accept = query.metadataOnly() ? METADATA_ONLY : ApiServer.JSON;
    try (ApiReply reply = ApiServer.orRefuse(api.get(query.path(next), accept))) {
      return ObjectParser.list(
          reply.body(), query.projection(), item -> sink.accept(query.kind().named(item)));
    } catch (IOException broken) {
      throw api.brokenOff(broken);
    }
  }

  /**
   * One object, if it exists. The name may be anything that somebody wrote into a reference: what
   * no object can be called does not exist.
   *
   * @throws ApiRefusal when the server answers otherwise
   */
  Optional<ObjectTree> get(
      ResourceKind kind, String namespace, String name, Projection projection) {
    try (ApiReply reply = ApiServer.orRefuse(api.get(kind.path(namespace, name), ApiServer.JSON))) {
      return Optional.of(kind.named(ObjectParser.object(reply.body(), projection)));
    } catch (ApiRefusal refusal) {
      if (!refusal.forbidden() && !refusal.passes()) {
        return Optional.empty();
      }
      throw refusal;
    } catch (IOException broken) {
      throw api.brokenOff(broken);
    }
  }
}
