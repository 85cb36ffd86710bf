/**
 * Runs under faults, and what judges them afterwards.
 *
 * <p>{@link dev.fallow.systemtests.campaign.Checker} reads the API server's audit log and what the
 * workshop knows to be true, and finds broken promises. Nothing here uses the product's code, and a
 * test holds that: what drives the product in a {@link dev.fallow.systemtests.campaign.Workshop}
 * lives elsewhere.
 */
@NullMarked
package dev.fallow.systemtests.campaign;

import org.jspecify.annotations.NullMarked;
