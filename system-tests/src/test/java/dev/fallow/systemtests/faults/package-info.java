/**
 * The product itself under faults: its own processes on a real cluster with a real Prometheus,
 * judged by {@link dev.fallow.systemtests.campaign}.
 */
@NullMarked
package dev.fallow.systemtests.faults;

import org.jspecify.annotations.NullMarked;
