import { printable } from '@unrut/engine/text/printable';
import { counted, number } from '@unrut/ledger/report/figures';
import { DEEDS } from '@unrut/ledger/report/rung-words';
import type { DetectorOption, DetectorRow } from '@unrut/server/api/answers';
import type { JSX } from 'preact';
import { Prose } from './prose.tsx';
import { type Column, Table } from './table.tsx';
import { When } from './when.tsx';
import { nameText, times } from './words.ts';

interface DetectorProps {
  detector: DetectorRow;
  /** Signals of the one that saw most. */
  most: number;
  isOpen: boolean;
}

/** One detector: its purpose, number and places of findings, and thresholds. */
export function DetectorDetails({ detector, most, isOpen }: DetectorProps): JSX.Element {
  const { name, words, status, isOn, rungs, options, signals, sessions, last, tools } = detector;
  return (
    <details class={`detector${isOn ? '' : ' off'}`} id={name} open={isOpen}>
      <summary>
        <h3>{name}</h3>
        <span class="tally">
          <meter min={0} max={most} value={signals} aria-hidden="true" />
          {signals === 0 ? 'saw nothing' : `saw it ${times(signals)}`}
        </span>
        <span class="words">
          {!isOn && <span class="state ended">off</span>}{' '}
          {status === 'trial' && <span class="state ended">on trial</span>} <Prose text={words} />
        </span>
      </summary>
      <div class="inside">
        <p>
          {signals > 0 && last !== null ? (
            <>
              In {counted(sessions, 'session')}, last <When at={last} />.{' '}
            </>
          ) : null}
          First, Unrut {DEEDS[rungs.first].does}; at most, it {DEEDS[rungs.highest].does}.
          {status === 'trial' && ' It is on trial: it never does more than tell the agent.'}
        </p>
        {tools.length > 0 && (
          <p>
            Where:{' '}
            {tools.map(({ tool, signals: times }, i) => (
              <>
                {i > 0 && ', '}
                <code>{nameText(tool)}</code> {number(times)}
              </>
            ))}
          </p>
        )}
        <Table
          caption={`Thresholds of ${name} in force`}
          level={4}
          columns={OPTIONS}
          rows={options}
          none="It has none."
        />
      </div>
    </details>
  );
}

const OPTIONS: Column<DetectorOption>[] = [
  {
    head: 'Threshold, and its variable',
    of: ({ key, variable }) => (
      <>
        <code>{key}</code>
        <br />
        <code class="note">{variable}</code>
      </>
    ),
  },
  { head: 'In force', of: ({ value }) => <strong>{String(value)}</strong>, isFigure: true },
  { head: 'Usual', of: ({ default: usual }) => String(usual), isFigure: true },
  {
    head: 'Said by',
    of: ({ from }) => (from === 'default' ? 'nobody: the usual' : <code>{printable(from)}</code>),
  },
  { head: 'Why the usual', of: ({ words }) => <Prose text={words} />, isLong: true },
];
