/**
 * Reads a live cluster: objects into core's values, Prometheus through the API server, rights.
 * Nothing here writes to the cluster.
 */
@NullMarked
package dev.fallow.adapters.kubernetes;

import org.jspecify.annotations.NullMarked;
