package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.prune.FieldManager;
import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.Refusal;
import dev.fallow.core.prune.RefusalReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Sends changes to the API server, each once, and says what came of it. */
final class Writes {

  private final ApiServer api;
  private final ObjectLister lister;

  Writes(ApiServer api) {
    this.api = api;
    this.lister = new ObjectLister(api);
  }

  /**
   * A merge patch that switches something.
   *
   * @param made tells from the object as it then is whether the change has been made, for when the
   *     answer is lost
   */
  Outcome patch(
      ResourceKind kind,
      ObjectTree object,
      Map<String, Object> change,
      Predicate<ObjectTree> made,
      String sentence) {
    return patch(kind, object, change, made, sentence, FieldManager.OURS);
  }

  /** A merge patch of annotations alone. */
  Outcome note(
      ResourceKind kind,
      ObjectTree object,
      Map<String, Object> change,
      Predicate<ObjectTree> made,
      String sentence) {
    return patch(kind, object, change, made, sentence, Annotations.NOTES_WRITER);
  }

  private Outcome patch(
      ResourceKind kind,
      ObjectTree object,
      Map<String, Object> change,
      Predicate<ObjectTree> made,
      String sentence,
      String manager) {
    String namespace = object.textOr("", "metadata", "namespace");
    String name = object.textOr("", "metadata", "name");
    String path = kind.path(namespace, name) + "?fieldManager=" + manager;
    try (ApiReply reply = api.patch(path, Json.write(change))) {
      if (reply.ok()) {
        return new Outcome.Done(sentence);
      }
      String said = StatusMessage.of(reply.text());
      return switch (reply.status()) {
        case 409 -> changed(said);
        case 404 -> changed(kind.kind() + " " + name + " is not there any more");
        case 422 ->
            said.contains("metadata.uid")
                ? changed(kind.kind() + " " + name + " was made anew")
                : failed(kind, reply.status(), said);
        default ->
            reply.status() >= 500
                ? reread(kind, namespace, name, made, sentence, said)
                : failed(kind, reply.status(), said);
      };
    } catch (Unavailable lost) {
      return reread(kind, namespace, name, made, sentence, String.valueOf(lost.getMessage()));
    }
  }

  /** Creates an object; one that is there already is as good. */
  Outcome create(ResourceKind kind, String namespace, Map<String, Object> object) {
    String path = kind.path(namespace) + "?fieldManager=" + FieldManager.OURS;
    try (ApiReply reply = api.post(path, ApiServer.JSON, ApiServer.JSON, Json.write(object))) {
      if (reply.ok() || reply.status() == 409) {
        return new Outcome.Done("created");
      }
      return failed(kind, reply.status(), StatusMessage.of(reply.text()));
    } catch (Unavailable lost) {
      return new Outcome.Failed(String.valueOf(lost.getMessage()), true);
    }
  }

  /** The whole object as it is now, from the server itself. */
  Optional<ObjectTree> read(ResourceKind kind, String namespace, String name) {
    return lister.get(kind, namespace, name, Projection.WHOLE);
  }

  /** The answer was lost: what the object says counts, and nothing is sent again. */
  private Outcome reread(
      ResourceKind kind,
      String namespace,
      String name,
      Predicate<ObjectTree> made,
      String sentence,
      String said) {
    try {
      boolean done = read(kind, namespace, name).filter(made).isPresent();
      return done ? new Outcome.Done(sentence) : new Outcome.Failed(said, true);
    } catch (ApiRefusal | Unavailable stillNobody) {
      return new Outcome.Failed(said, true);
    }
  }

  static Outcome changed(String sentence) {
    return refused(RefusalReason.CHANGED_MEANWHILE, sentence);
  }

  static Outcome refused(RefusalReason reason, String sentence) {
    return new Outcome.Refused(new Refusal(reason, sentence));
  }

  private static Outcome failed(ResourceKind kind, int status, String said) {
    String cure = status == 403 ? "; grant patch on " + kind.resource() + " to this account" : "";
    return new Outcome.Failed(
        "the API server answers with status " + status + ": " + said + cure, false);
  }

  /**
   * Objects of a namespace; nothing where the account may not see them or there is no such kind.
   */
  Iterable<ObjectTree> listed(ResourceKind kind, String namespace, Projection projection) {
    List<ObjectTree> found = new ArrayList<>();
    try {
      lister.list(
          new ObjectLister.Query(kind, namespace, projection, 1_000, false),
          () -> {
            found.clear();
            return found::add;
          });
    } catch (ApiRefusal refusal) {
      if (refusal.passes()) {
        throw refusal.unavailable();
      }
      found.clear();
    }
    return found;
  }
}
