package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.prune.FieldManager;
import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.Refusal;
import dev.fallow.core.prune.RefusalReason;
import java.io.IOException;
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

  /** The same, for who needs the object as it then is. */
  Patched noted(
      ResourceKind kind,
      ObjectTree object,
      Map<String, Object> change,
      Predicate<ObjectTree> made) {
    return patched(kind, object, change, made, "marked", Annotations.NOTES_WRITER);
  }

  private Outcome patch(
      ResourceKind kind,
      ObjectTree object,
      Map<String, Object> change,
      Predicate<ObjectTree> made,
      String sentence,
      String manager) {
    return patched(kind, object, change, made, sentence, manager).outcome();
  }

  /**
   * What came of a patch.
   *
   * @param now the object with the change; nothing if it was not made, or nobody could tell
   */
  record Patched(Outcome outcome, Optional<ObjectTree> now) {
    Patched(Outcome outcome) {
      this(outcome, Optional.empty());
    }
  }

  private Patched patched(
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
        return new Patched(new Outcome.Done(sentence), now(kind, reply));
      }
      String said = StatusMessage.of(reply.text());
      return switch (reply.status()) {
        case 409 -> new Patched(changed(said));
        case 404 -> new Patched(changed(kind.kind() + " " + name + " is not there any more"));
        case 422 ->
            new Patched(
                said.contains("metadata.uid")
                    ? changed(kind.kind() + " " + name + " was made anew")
                    : failed(kind, reply.status(), said));
        default ->
            reply.status() >= 500
                ? reread(kind, namespace, name, made, sentence, said)
                : new Patched(failed(kind, reply.status(), said));
      };
    } catch (Unavailable lost) {
      return reread(kind, namespace, name, made, sentence, String.valueOf(lost.getMessage()));
    }
  }

  /** The status has been received, so the change is made, whatever becomes of the rest. */
  private static Optional<ObjectTree> now(ResourceKind kind, ApiReply reply) {
    try {
      return Optional.of(kind.named(ObjectParser.object(reply.body(), Projection.WHOLE)));
    } catch (IOException brokenOff) {
      return Optional.empty();
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

  /** The same object as it is now; nothing if it is gone or was made anew. */
  Optional<ObjectTree> again(ResourceKind kind, ObjectTree object) {
    return read(
            kind, object.textOr("", "metadata", "namespace"), object.textOr("", "metadata", "name"))
        .filter(
            now -> now.textOr("", "metadata", "uid").equals(object.textOr("?", "metadata", "uid")));
  }

  /** The answer was lost: what the object says counts, and nothing is sent again. */
  private Patched reread(
      ResourceKind kind,
      String namespace,
      String name,
      Predicate<ObjectTree> made,
      String sentence,
      String said) {
    try {
      Optional<ObjectTree> now = read(kind, namespace, name).filter(made);
      return new Patched(
          now.isPresent() ? new Outcome.Done(sentence) : new Outcome.Failed(said, true), now);
    } catch (ApiRefusal | Unavailable stillNobody) {
      return new Patched(new Outcome.Failed(said, true));
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
        "the API server answers with status " + status + ": " + said + cure,
        false,
        new ApiRefusal(status, said).passes());
  }

  /**
   * Objects of a namespace; nothing where the account may not see them or there is no such kind.
   *
   * @param namespace empty for all
   */
  Optional<List<ObjectTree>> listed(ResourceKind kind, String namespace, Projection projection) {
    List<ObjectTree> found = new ArrayList<>();
    try {
      lister.list(
          new ObjectLister.Query(kind, namespace, projection, 1_000, false),
          () -> {
            found.clear();
            return found::add;
          });
      return Optional.of(found);
    } catch (ApiRefusal refusal) {
      if (refusal.passes()) {
        throw refusal.unavailable();
      }
      return Optional.empty();
    }
  }
}
