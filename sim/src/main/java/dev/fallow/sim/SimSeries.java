package dev.fallow.sim;

import dev.fallow.core.idle.Signal;
import java.util.Map;

/** One series as Prometheus would hold it: times in epoch milliseconds, ascending. */
record SimSeries(
    String metric, Signal signal, Map<String, String> labels, long[] millis, double[] values) {}
