import type { ComponentChildren } from 'preact';
import type { Summary } from '../api/types';
import { GPU_STATES } from '../logic/states';
import { amount, duration, money } from '../logic/format';
import { StateBar } from './StateBar';
import { Trend } from './Trend';

/** On a phone the course of the week would push the workloads out of view. */
const narrow = matchMedia('(max-width: 760px)');

/** The cluster at a glance: what its GPUs do now, over the week, and what that costs. */
export function SummaryBand({ summary }: { summary: Summary }) {
  const total = GPU_STATES.filter(({ key }) => key !== 'paused').reduce((sum, { key }) => sum + (summary.gpus[key] ?? 0), 0);
  return (
    <section class="band" aria-label="The cluster now">
      <div class="now">
        <h2>{amount(total)} GPUs now</h2>
        <StateBar gpus={summary.gpus} />
        <dl class="figures">
          <Figure name="wasted per hour" tone="waste">
            {money(summary.wastedPerHour)}
          </Figure>
          <Figure name="wasted today" tone="waste">
            {money(summary.wastedToday)}
          </Figure>
          <Figure name="saved this month" tone="saved">
            {money(summary.savedThisMonth)}
          </Figure>
        </dl>
        {summary.partial && <p class="hint">Of the namespaces you may see, and GPUs that nobody holds.</p>}
        {summary.rule && <p class="hint rule">{ruleOf(summary.rule)}</p>}
      </div>
      <details class="week" open={!narrow.matches}>
        <summary>
          <h2>The last week</h2>
        </summary>
        {summary.trend ? <Trend trend={summary.trend} /> : <p class="hint">Without a ledger there is no course of the week.</p>}
      </details>
    </section>
  );
}

function ruleOf({ duration: window, notice }: NonNullable<Summary['rule']>): string {
  const announced = notice ? `, announced ${duration(notice)} before a pause` : '';
  return `Idle after ${duration(window)} without activity${announced}.`;
}

function Figure({ name, tone, children }: { name: string; tone: string; children: ComponentChildren }) {
  return (
    <div class={tone}>
      <dt>{name}</dt>
      <dd class="num">{children}</dd>
    </div>
  );
}
