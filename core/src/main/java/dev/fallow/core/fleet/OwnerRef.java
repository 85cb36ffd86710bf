package dev.fallow.core.fleet;

import java.util.List;

/** What an object says of its controller: the object to look for, and its UID to believe it by. */
public record OwnerRef(String group, String kind, String name, String uid) {

  /** The controllers an object names. The API server allows one; a file may hold more. */
  public static List<OwnerRef> controllersOf(ObjectTree object) {
    return object.list("metadata", "ownerReferences").stream()
        .filter(reference -> reference.isTrue("controller"))
        .map(reference ->
            new OwnerRef(
                ObjectId.groupOf(reference.textOr("", "apiVersion")),
                reference.textOr("", "kind"),
                reference.textOr("", "name"),
                reference.textOr("", "uid")))
        .toList();
  }

  @Override
  public String toString() {
    return kind + " " + name;
  }
}
