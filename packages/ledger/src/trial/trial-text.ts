import { printable, wrap } from '@unrut/engine/text/printable';
import { counted, number } from '../report/figures.ts';
import { figures, type Sheet, table } from '../report/table.ts';
import { LEAST_SESSIONS, MEASURES, type TrialMeasure, type TrialReport } from './trial.ts';

/** The result of a trial in a sentence. */
export function trialVerdict({
  verdict,
  missing,
  guarded,
  recorded,
  measures,
}: TrialReport): string {
  if (verdict === 'too-few')
    return `Too early to tell: each arm needs ${LEAST_SESSIONS} sessions, and there are ${number(guarded)} guarded and ${number(recorded)} only recorded.`;
  const lost = `${oneDigit(measures[0]!.guarded)} of 100 steps to loops, and ${oneDigit(measures[0]!.recorded)} where Unrut only records`;
  if (verdict === 'less') return `Unrut helps: guarded sessions lose ${lost}.`;
  if (verdict === 'more') return `Unrut harms: guarded sessions lose ${lost}.`;
  const more =
    missing === 0
      ? 'The difference is below 5 %, or there is none'
      : `About ${counted(missing, 'more session')} in each arm would show a difference of 5 %`;
  return `No difference to be seen: guarded sessions lose ${lost}. ${more}.`;
}

/** `-3.2 (-4.9 to -1.5)`: the difference, with its 95 % interval. */
export const trialDifference = ({ difference }: Pick<TrialMeasure, 'difference'>): string =>
  difference
    ? `${signed(difference.value)} (${signed(difference.low)} to ${signed(difference.high)})`
    : '';

/** Trials for a terminal. */
export const trialText = (trials: readonly TrialReport[], sheet: Sheet): string[] =>
  trials.length === 0
    ? ['No session was in a trial. Start one with "trial": { "share": 0.5 } in the config.']
    : trials.flatMap((report, i) => [...(i === 0 ? [] : ['']), ...oneTrial(report, sheet)]);

/** What people said of what was done in guarded sessions; nothing if nothing was done. */
export const falseAlarmsText = ({
  acted,
  falseAlarms,
}: Pick<TrialReport, 'acted' | 'falseAlarms'>): string =>
  acted === 0
    ? ''
    : `In guarded sessions Unrut acted ${counted(acted, 'time')}; people called ${number(falseAlarms)} of them a false alarm (${oneDigit((100 * falseAlarms) / acted)} %).`;

function oneTrial(report: TrialReport, { paint, width }: Sheet): string[] {
  const { trial, since, guarded, recorded, left, measures } = report;
  const begun = new Date(since).toISOString().slice(0, 10);
  const also =
    left === 0 ? '' : `, ${number(left)} left because somebody switched Unrut off or on there`;
  return [
    ...wrap(trialVerdict(report), width).map(paint.bold),
    ...wrap(
      `Trial ${printable(trial)}, since ${begun}: ${counted(guarded, 'session')} guarded, ${number(recorded)} only recorded${also}.`,
      width,
    ).map(paint.dim),
    '',
    ...table(
      ['', figures('guarded'), figures('recorded'), figures('difference (95 %)')],
      measures.map((each) => [
        MEASURES[each.name],
        oneDigit(each.guarded),
        oneDigit(each.recorded),
        trialDifference(each),
      ]),
      width,
      paint,
    ),
    ...[falseAlarmsText(report)].filter(Boolean).flatMap((text) => wrap(text, width)),
  ];
}

/** Small numbers with two digits that count. */
export const oneDigit = (value: number): string => {
  const size = Math.abs(value);
  if (size >= 100) return number(Math.round(value));
  return value.toFixed(size >= 1 || size === 0 ? 1 : 3);
};

const signed = (value: number): string => `${value > 0 ? '+' : ''}${oneDigit(value)}`;
