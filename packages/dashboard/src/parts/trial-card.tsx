import { counted, number } from '@unrut/ledger/report/figures';
import { MEASURES } from '@unrut/ledger/trial/trial';
import { falseAlarmsText, oneDigit, trialDifference } from '@unrut/ledger/trial/trial-text';
import type { TrialsAnswer } from '@unrut/server/api/answers';
import type { JSX } from 'preact';
import { useAnswer } from '../api/use-answer.ts';
import { type Column, Table } from './table.tsx';
import { nameText } from './words.ts';

type Trial = TrialsAnswer['trials'][number];

/** The result of the latest trial; hidden if there was none. */
export function TrialCard(): JSX.Element | null {
  const { data } = useAnswer<TrialsAnswer>('/v1/trial', { every: 10_000 });
  const trial = data?.trials[0];
  if (!trial) return null;
  const { text, guarded, recorded, left, measures } = trial;
  return (
    <>
      <p class="advice">{text}</p>
      <Table
        caption={`Trial: ${nameText(trial.trial)} only recorded`}
        columns={COLUMNS}
        rows={measures}
        none=""
      />
      <p class="note">
        {counted(guarded, 'session')} guarded, {number(recorded)} only recorded
        {left > 0 && `, ${number(left)} left because somebody switched Unrut off or on there`}. The
        interval (95 %) says how far chance alone may be off. {falseAlarmsText(trial)}
      </p>
    </>
  );
}

const COLUMNS: Column<Trial['measures'][number]>[] = [
  { head: 'What', of: ({ name }) => MEASURES[name] },
  { head: 'Guarded', of: ({ guarded }) => oneDigit(guarded), isFigure: true },
  { head: 'Recorded', of: ({ recorded }) => oneDigit(recorded), isFigure: true },
  { head: 'Difference', of: trialDifference, isFigure: true },
];
