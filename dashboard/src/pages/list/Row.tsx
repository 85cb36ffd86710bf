import { Component } from 'preact';
import type { Workload } from '../../api/types';
import { models, money, plural, shortKind } from '../../logic/format';
import { KeepButtons } from '../../parts/KeepButtons';
import { Link, workloadPage } from '../../parts/Link';
import { Spark } from '../../parts/Spark';
import { StateChip } from '../../parts/StateChip';
import { Text } from '../../parts/Text';
import { Since, Until } from '../../parts/Times';

interface Props {
  row: Workload;
  index: number;
  selected: boolean;
  onSelect: (id: string) => void;
}

/** One workload in the list. It is drawn again only if it changed: a fleet has thousands of them. */
export class Row extends Component<Props> {
  override shouldComponentUpdate(next: Props): boolean {
    const { row, index, selected } = this.props;
    return row !== next.row || index !== next.index || selected !== next.selected;
  }

  override render({ row, index, selected, onSelect }: Props) {
    const why = row.state === 'PAUSED' ? row.pause?.reason : row.sentence;
    return (
      <div
        role="row"
        class={selected ? 'row selected' : 'row'}
        aria-rowindex={index + 2}
        data-id={row.workload}
        onFocusIn={() => onSelect(row.workload)}
      >
        <div role="cell" class="c-state">
          <StateChip state={row.state} />
        </div>
        <div role="cell" class="c-name">
          <Link href={workloadPage(row)} class="name" title={row.workload}>
            <Text of={row.name} />
          </Link>
          <span class="sub" title={row.kind}>
            {shortKind(row.kind)} in <Text of={row.namespace} />
          </span>
        </div>
        <div role="cell" class="c-why">
          <Text class="sentence" of={why} title={why ?? undefined} />
          {row.reason && <code>{row.reason}</code>}
        </div>
        <div role="cell" class="c-gpus">
          <b class="num">{plural(row.gpus, 'GPU')}</b>{' '}
          <Text of={models(row.models)} title={row.models?.join(', ')} />
        </div>
        <div role="cell" class="c-use">
          <Spark values={row.spark} use={row.use} />
        </div>
        <div role="cell" class="c-idle num">
          <Since at={row.idleSince ?? row.pause?.at} />
        </div>
        <div role="cell" class="c-cost num">
          {row.state === 'PAUSED' ? <span class="none">–</span> : money(row.costPerHour)}
        </div>
        <div role="cell" class="c-left num">
          {row.state === 'KEPT' && row.keep ? (
            <span class="kept-for">
              <Until at={row.keep.until} /> <span class="sub">kept</span>
            </span>
          ) : (
            <Until at={row.pausesAt} />
          )}
        </div>
        <div role="cell" class="c-do">
          <KeepButtons workload={row} />
          <Link href={workloadPage(row)} class="button" label={`Why is ${row.name} ${row.state.toLowerCase()}?`}>
            Why
          </Link>
        </div>
      </div>
    );
  }
}
