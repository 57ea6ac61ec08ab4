import { printable } from '@unrut/engine/text/printable';
import { shellWord } from '@unrut/engine/text/shell-word';
import type { OutcomeCounts } from '@unrut/ledger/figures/session-figures';
import { counted, dollars, number } from '@unrut/ledger/report/figures';
import type { SessionLoop, SessionRow, Waste } from '@unrut/server/api/answers';
import { doneText } from './parts/deed-text.ts';
import { OUTCOMES, titleOf } from './parts/session-words.tsx';
import { capital, times } from './parts/words.ts';

/** An action, taken once or many times. Scanned runs have no outcomes. */
export type Act = Omit<SessionLoop['acts'][number], 'outcomes'> & {
  outcomes?: SessionLoop['acts'][number]['outcomes'];
};

/** `step 12`, `steps 12–254`. */
export const stepsText = (first: number, last: number): string =>
  first === last ? `step ${number(first)}` : `steps ${number(first)}–${number(last)}`;

/** `244 steps, $0.20 wasted`. */
export function wasteText({ steps, tokens, usd }: Waste): string {
  const parts = [
    counted(steps, 'step'),
    usd > 0 ? dollars(usd) : tokens > 0 && counted(tokens, 'token'),
  ];
  return `${parts.filter(Boolean).join(', ')} wasted`;
}

/** `Blocked the call 240 times, steps 12–254`. */
export function actText({ rung, shadow, times: count, first, last }: Act): string {
  const often = count === 1 ? '' : ` ${times(count)}`;
  return `${capital(doneText(rung, shadow))}${often}, ${stepsText(first, last)}`;
}

/** The outcome of an act: all of its times are in it. */
export function outcomeWords({ times: count, outcomes, shadow }: Act): string {
  if (outcomes === undefined) return '';
  if (shadow) return 'only recorded';
  const known = Object.entries(outcomes).filter(
    ([name, each]) => each > 0 && name !== 'unknown',
  ) as [keyof OutcomeCounts, number][];
  const open = count - known.reduce((sum, [, each]) => sum + each, 0);
  if (known.length === 0) return 'outcome unknown';
  if (known.length === 1 && open === 0) return OUTCOMES[known[0]![0]].name;
  return [
    ...known.map(([name, each]) => `${OUTCOMES[name].name}: ${number(each)}`),
    ...(open > 0 ? [`unknown: ${number(open)}`] : []),
  ].join(', ');
}

/** The command that shows a session in a terminal. */
export function showCommand({ session }: Pick<SessionRow, 'session'>): string {
  return `npx unrut show ${shellWord(printable(session))}`;
}

/** A loop as the text of an issue. */
export function issueOf(session: SessionRow, loop: SessionLoop): string {
  const { text, since, last, firedAt, bursts, wasted, acts, detector, variant, repeats } = loop;
  const said = acts.findLast(({ toModel }) => toModel !== '')?.toModel;
  return [
    `Agent loop: ${printable(text)}`,
    '',
    `- Agent: ${titleOf(session)}, session \`${printable(session.session)}\``,
    `- Where: ${stepsText(since, last)}, detected at step ${number(firedAt)}${bursts.length > 1 ? `, in ${number(bursts.length)} bursts` : ''}`,
    `- Cost: ${wasteText(wasted)}`,
    `- Detected by: ${detector} (${variant})`,
    ...acts.map((act) => `- ${actText(act)}: ${outcomeWords(act)}`),
    '',
    'What repeated:',
    '',
    '```',
    ...repeats
      .slice(0, 3)
      .map(({ step, what, brought }) => printable(`${step ?? ''}  ${what}  ${brought}`)),
    '```',
    ...(said
      ? ['', 'What the model read:', '', ...said.split('\n').map((line) => `> ${printable(line)}`)]
      : []),
    '',
    `See it: \`${showCommand(session)}\``,
  ].join('\n');
}
