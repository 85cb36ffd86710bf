package dev.fallow.core.report;

/**
 * A namespace, a team or a model.
 *
 * @param key its name, empty where the ledger has none
 * @param before what it had in the period before
 */
public record Row(String key, Sum sum, Sum before) {}
