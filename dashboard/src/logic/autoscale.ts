import type { Autoscaler, ScalingMetric } from '../api/types';
import { plural, UNKNOWN } from './format';

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });

/** Metrics have scales of their own, and small ones matter. */
export function figure(value: number | null | undefined): string {
  return value === null || value === undefined || !Number.isFinite(value) ? UNKNOWN : numbers.format(value);
}

/** How many replicas there are, and how many there will be or why that is not changed. */
export function outlook(hpa: Autoscaler): string {
  const now = `${plural(hpa.currentReplicas, 'replica')} now`;
  if (hpa.cpuOrMemoryToo) {
    return hpa.desiredReplicas === undefined
      ? `${now}; these metrics ask for no change, and what CPU and memory ask for is not known here`
      : `${now}, at least ${hpa.desiredReplicas} next; CPU and memory may ask for more`;
  }
  if (hpa.holds || hpa.desiredReplicas === undefined) {
    const why = hpa.metrics.filter(({ proposal }) => proposal === undefined).map((one) => one.why || `${one.metric} has no number`);
    return why.length > 0 ? `${now}; holds: ${why.join('; ')}` : `${now}; holds`;
  }
  return `${now}, ${hpa.desiredReplicas} next`;
}

export interface LeftOut {
  why: string;
  pods: string[];
}

/** The pods without a number, by the reason for it. */
export function leftOut(metric: ScalingMetric): LeftOut[] {
  const reasons = new Map<string, string[]>();
  for (const { pod, leftOut: reason, why } of metric.pods ?? []) {
    if (reason) {
      const sentence = why || reason;
      reasons.set(sentence, [...(reasons.get(sentence) ?? []), pod]);
    }
  }
  return [...reasons].map(([why, pods]) => ({ why, pods }));
}

/** How many pods have a number; nothing for a metric that is not of pods. */
export function counted(metric: ScalingMetric): string {
  const pods = metric.pods ?? [];
  return pods.length === 0 ? '' : `${pods.filter(({ leftOut: reason }) => !reason).length} of ${pods.length} counted`;
}

/** The first few names, and how many more there are. */
export function few(names: readonly string[], most = 5): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(', ')} and ${rest} more` : names.join(', ');
}
