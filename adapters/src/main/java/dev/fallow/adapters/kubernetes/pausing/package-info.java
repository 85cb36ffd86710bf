/**
 * How each kind is switched off and on again: values in, values out. Who writes them is told apart.
 */
@org.jspecify.annotations.NullMarked
package dev.fallow.adapters.kubernetes.pausing;
