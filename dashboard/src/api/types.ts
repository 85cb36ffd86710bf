/** What the server sends, as docs/rest-api.md describes it. */

export type State = 'BUSY' | 'IDLE' | 'KEPT' | 'UNKNOWN' | 'PAUSED';
/** `HELD` by somebody whose namespace we may not see. */
export type GpuState = State | 'FREE' | 'HELD';

export interface Keep {
  until: string;
  by?: string;
  reason?: string;
}

export interface Pause {
  at: string;
  by?: string;
  reason?: string;
  gpus?: number;
}

export interface Workload {
  workload: string;
  namespace: string;
  kind: string;
  name: string;
  state: State;
  verdict?: string | null;
  reason?: string | null;
  sentence?: string | null;
  action?: string | null;
  gpus: number;
  idleGpus?: number | null;
  models?: string[] | null;
  use?: number | null;
  idleSince?: string | null;
  costPerHour?: number | null;
  wastedPerHour?: number | null;
  spark?: (number | null)[] | null;
  sparkStep?: number | null;
  pausesAt?: string | null;
  next?: string | null;
  keep?: Keep | null;
  pause?: Pause | null;
}

export interface WorkloadPage {
  at: string;
  items: Workload[];
  next: string | null;
}

export interface Trend {
  step: number;
  from: string;
  busy: number[];
  idle: number[];
  kept: number[];
  unknown: number[];
  saved: number[];
}

export interface Degraded {
  source: string;
  /** Only for those who may see every namespace. */
  sentence?: string | null;
  since?: string | null;
}

export interface GpuCounts {
  busy: number;
  idle: number;
  kept: number;
  unknown: number;
  free: number;
  paused: number;
}

export interface Summary {
  at: string;
  cluster: string;
  version?: string;
  mode: string;
  demo?: boolean;
  speed?: number;
  gpus: GpuCounts;
  workloads?: Omit<GpuCounts, 'free'>;
  /** Of all money, as ISO 4217 writes it; dollars if nothing is said. */
  currency?: string;
  costPerHour?: number;
  wastedPerHour?: number;
  wastedToday?: number;
  savedToday?: number;
  savedThisMonth?: number;
  rule?: { duration?: string; gracePeriod?: string; notice?: string; checkInterval?: string };
  trend?: Trend | null;
  degraded?: Degraded[];
  /** The numbers are those of the namespaces that we may see. */
  partial?: boolean;
}

export interface SignalFinding {
  signal: string;
  samples: number;
  impossible: number;
  mean: number;
  peak: number;
  active: boolean;
}

export interface DeviceFinding {
  device: string;
  migInstance?: string | null;
  node?: string | null;
  model?: string | null;
  state: string;
  shared?: boolean;
  main?: string | null;
  samples?: number;
  promised?: number;
  spacingSeconds?: number;
  longestGapSeconds?: number;
  covered?: boolean;
  lastActive?: string | null;
  signals?: SignalFinding[];
}

export interface PodFinding {
  pod: string;
  node?: string | null;
  phase?: string;
  live?: boolean;
  since?: string | null;
  asked?: Record<string, number>;
  missing?: string | null;
  missingSentence?: string | null;
  devices?: DeviceFinding[];
}

export interface Timeline {
  pod: string;
  device: string;
  node?: string | null;
  model?: string | null;
  points: [number, number | null][];
}

export interface Why {
  at?: string;
  window?: string | number;
  judgedAfter?: string | number;
  idleThreshold?: number;
  owners?: string[];
  pods?: PodFinding[];
  next?: string | null;
  timeline?: Timeline[];
}

/** A pod as an autoscaler counts it, or leaves it out. */
export interface ScaledPod {
  pod: string;
  standing?: string;
  value?: number;
  gpus?: number;
  leftOut?: string;
  why?: string;
}

export interface ScalingMetric {
  source: string;
  metric: string;
  targetType?: string;
  target?: number;
  value?: number;
  at?: string;
  windowSeconds?: number;
  proposal?: number;
  why?: string;
  pods?: ScaledPod[];
}

export interface Autoscaler {
  hpa: string;
  scales: string;
  minReplicas: number;
  maxReplicas: number;
  currentReplicas: number;
  holds: boolean;
  /** They are not measured here, and may ask for more. */
  cpuOrMemoryToo?: boolean;
  desiredReplicas?: number;
  metrics: ScalingMetric[];
  notes: string[];
}

export interface NodeGpu {
  device?: string;
  state: GpuState;
  use?: number | null;
  workload?: string | null;
}

export interface GpuNode {
  node: string;
  model?: string | null;
  gpus: NodeGpu[];
}

export interface Deed {
  at: string;
  verb: string;
  outcome: string;
  workload: string;
  gpus?: number;
  dollarsPerHour?: number;
  reason?: string;
  sentence?: string;
  by?: string;
  actionId?: string;
}

export interface DeedPage {
  items: Deed[];
  next: string | null;
}

export interface SavingsRow {
  key: string;
  busy: number;
  idle: number;
  kept: number;
  unknown: number;
  saved: number;
  wastedDollars: number;
  savedDollars: number;
  costDollars: number;
}

export interface Savings {
  from: string;
  to: string;
  by: string;
  items: SavingsRow[];
  total?: Omit<SavingsRow, 'key'>;
}

export interface Regret {
  workload: string;
  gpus: number;
  pausedAt: string;
  resumedAt: string;
  by: string;
}

/** The parts of a report that the page shows besides the savings. */
export interface Report {
  change: { cost?: number; wasted?: number; saved?: number };
  teams: { key: string }[];
  regrets: { pauses: number; regretted: number; share: number; withinMinutes: number; items: Regret[] };
}

export interface Me {
  name?: string | null;
  by: string;
  verified?: boolean;
  mayChange: boolean;
  signIn?: string[];
  /** The host whose page people sign in at, where `oidc` is a way to sign in. */
  issuer?: string;
}

/** What has become of a row: fields with other values, null for those that have gone, and how its curve ends now. */
export interface RowNews {
  workload: string;
  sparkNew?: (number | null)[];
  [field: string]: unknown;
}

export interface FleetEvent {
  at: string;
  summary?: Summary;
  /** Complete rows: all of them, or those that are new. */
  changed: Workload[];
  altered?: RowNews[];
  /** By how many points the curves have moved on. */
  steps?: number;
  gone?: string[];
  whole?: boolean;
}
