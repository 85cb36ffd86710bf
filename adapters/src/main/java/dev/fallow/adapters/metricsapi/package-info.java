/** Other servers of the metrics APIs. */
package dev.fallow.adapters.metricsapi;
