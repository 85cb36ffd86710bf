/**
 * The cluster's own autoscaler, many plain HPAs at once, and a program that gives them numbers:
 * what they come to is compared with what the published formula says.
 */
@NullMarked
package dev.fallow.systemtests.autoscale;

import org.jspecify.annotations.NullMarked;
