/**
 * A proxy that stands in front of a server and fails on demand, in the ways networks and overloaded
 * servers do.
 *
 * <p>{@link dev.fallow.rig.fault.FaultProxy} is the place to start.
 */
@NullMarked
package dev.fallow.rig.fault;

import org.jspecify.annotations.NullMarked;
