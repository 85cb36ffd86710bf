/**
 * What the ledger tells of some time, put together for people: where the GPU hours and the money
 * went, who wasted most, which pauses were regretted, and whether it was better before.
 */
@NullMarked
package dev.fallow.core.report;

import org.jspecify.annotations.NullMarked;
