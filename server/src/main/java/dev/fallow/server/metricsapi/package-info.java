/**
 * The APIs that autoscalers read numbers from, custom.metrics.k8s.io and external.metrics.k8s.io,
 * as an API server behind the cluster's own.
 */
package dev.fallow.server.metricsapi;
