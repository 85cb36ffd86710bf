/** GPU use as numbers for autoscalers: what was measured, when, and of whom. */
package dev.fallow.core.autoscale;
