/**
 * Looks at GPU exporters directly and remembers what it saw: for clusters without a Prometheus.
 * Series get the labels that a Prometheus would give them, so that core judges both alike.
 */
@NullMarked
package dev.fallow.adapters.scrape;

import org.jspecify.annotations.NullMarked;
