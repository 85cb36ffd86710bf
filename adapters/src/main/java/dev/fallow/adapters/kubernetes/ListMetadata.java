package dev.fallow.adapters.kubernetes;

import dev.fallow.core.fleet.ObjectTree;

/**
 * What a page says of itself.
 *
 * @param next the token that asks for the next page; empty on the last one
 * @param version the moment in the cluster's history that the list shows
 */
record ListMetadata(String next, String version) {

  static final Projection PROJECTION = Projection.of("continue", "resourceVersion");

  static ListMetadata of(ObjectTree metadata) {
    return new ListMetadata(
        metadata.textOr("", "continue"), metadata.textOr("", "resourceVersion"));
  }
}
