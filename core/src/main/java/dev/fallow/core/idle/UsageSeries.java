package dev.fallow.core.idle;

/** One exporter series: what its labels say, and its samples. */
public record UsageSeries(SeriesLabels labels, Samples samples) {}
