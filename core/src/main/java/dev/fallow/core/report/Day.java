package dev.fallow.core.report;

import java.time.Instant;

/**
 * A part of the period, of one day or, in a long one, of several.
 *
 * @param from its first hour
 */
public record Day(Instant from, Sum sum) {}
