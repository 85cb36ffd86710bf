package dev.fallow.core.prune;

import java.time.Instant;

/** A pause of ours that the budget has to remember. */
public record PastPause(String actionId, String namespace, Instant at) {}
