/**
 * KEDA's external scaler: the numbers of the metrics APIs over gRPC, for clusters where KEDA
 * answers for external.metrics.k8s.io. Only {@link dev.fallow.server.keda.ScalerService} knows
 * gRPC; nothing here is loaded unless it is switched on.
 */
package dev.fallow.server.keda;
