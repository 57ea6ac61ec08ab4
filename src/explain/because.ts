import { mayChange } from '../fingerprint/may-change.ts';
import { counted } from '../report/figures.ts';
import type { Followed, Step } from './follow.ts';
import { LEDGER } from './read-ledger-run.ts';
import type { Repetition } from './repetitions.ts';
import type { Reason, Setting } from './report.ts';
import { signatureOf } from './signatures.ts';
import { stepBrought } from './step-brought.ts';
import type { Workshop } from './workshop.ts';

/** Why a repetition was not called a loop, by what its steps looked like; a veto of progress is tried by leaving that out. */
export function because(repetition: Repetition, followed: Followed, workshop: Workshop, settings: readonly Setting[]): Reason[] {
  const { steps } = repetition;
  const [start, end] = [steps[0]!.step, steps.at(-1)!.step];
  const between = followed.steps.filter((each) => each.step > start && each.step < end && !steps.includes(each));
  const reasons = [
    waiting(steps),
    person(followed, start, end),
    brought(steps),
    otherArguments(repetition),
    otherResults(repetition),
    otherSignatures(repetition),
    veto(steps, between, workshop),
  ].filter((reason) => reason !== null);
  return reasons.length > 0 ? reasons : [tooLittle(settings)];
}

/** Nothing speaks against it but what the nearest detector asks for. */
function tooLittle(settings: readonly Setting[]): Reason {
  const asked = settings.find(({ now }) => now)?.now ?? {};
  const options = Object.entries(asked).flatMap(([detector, values]) =>
    Object.entries(values).map(([option, value]) => `${detector} draws the line at ${option} ${value}`),
  );
  return { kind: 'count', text: options[0] ?? 'no detector is for it' };
}

function waiting(steps: readonly Step[]): Reason | null {
  const neutral = steps.filter(({ seen }) => seen.neutral);
  if (neutral.length === 0) return null;
  const kinds = [...new Set(neutral.map((step) => stepBrought(step).brought))];
  return { kind: 'waiting', text: `${neutral.length} of the ${steps.length} steps neither count nor clear: ${kinds.join(', ')}` };
}

function person({ run }: Followed, start: number, end: number): Reason | null {
  const spoke = run.events.filter(({ step, event }) => event.type === 'user-spoke' && step >= start && step < end);
  if (spoke.length === 0) return null;
  const what = run.format === LEDGER ? `the run went on after step ${listed(spoke)}` : `a person spoke at step ${listed(spoke)}`;
  return { kind: 'person', text: `${what}, and all counting began anew` };
}

/** What the repeats brought themselves. */
function brought(steps: readonly Step[]): Reason | null {
  const forward = steps.slice(1).filter(({ seen }) => seen.progress);
  if (forward.length === 0) return null;
  const words = [...new Set(forward.map((step) => stepBrought(step).brought))].slice(0, 3);
  return { kind: 'moved', text: `${forward.length} of the ${steps.length - 1} repeats went forward: ${words.join('; ')}` };
}

function otherArguments({ kind, steps }: Repetition): Reason | null {
  const keys = new Set(steps.flatMap(({ seen }) => seen.call?.key ?? []));
  if (kind === 'call' || keys.size < 2) return null;
  return { kind: 'arguments', text: `they are ${keys.size} different calls` };
}

function otherResults({ kind, steps }: Repetition): Reason | null {
  const results = steps.flatMap(({ seen }) => (seen.result ? [seen.result] : []));
  if (results.length > 0 && results.every(({ known }) => !known)) return { kind: 'unknown', text: 'their results are not in the record' };
  const different = new Set(results.map(({ digest }) => digest)).size;
  if (kind === 'answer' || different < 2) return null;
  return { kind: 'results', text: `they brought ${different} different results` };
}

function otherSignatures({ kind, steps }: Repetition): Reason | null {
  const signatures = [...new Set(kind === 'output' ? steps.map(signatureOf) : [])];
  if (signatures.length < 2) return null;
  return { kind: 'signatures', text: `they came to ${signatures.length} different things: ${signatures.slice(0, 3).join(', ')}` };
}

/** Steps in between that went forward, or could have changed the answer: would it have been found without them? */
function veto(steps: readonly Step[], between: readonly Step[], { replayer, spoke }: Workshop): Reason | null {
  const call = steps[0]!.seen.call;
  const changes = between.filter(({ seen }) => call && seen.call && seen.result && !seen.result.error && mayChange(seen.call, call));
  const vetoes = between.filter((step) => step.seen.progress || changes.includes(step));
  if (vetoes.length === 0) return null;
  const [start, end] = [steps[0]!.step, steps.at(-1)!.step];
  const heard = replayer.replay({ upTo: end, leftOut: new Set(vetoes.map(({ step }) => step)) });
  const first = heard?.find(({ step, detector, light }) => step >= start && !light && !spoke(detector, step));
  const { step, what, brought } = stepBrought(vetoes.find(({ seen }) => seen.progress) ?? vetoes[0]!);
  const example = `step ${step}, \`${what}\`: ${brought}`;
  const without = first ? `; without ${vetoes.length === 1 ? 'it' : 'them'} ${first.detector} would have spoken at step ${first.step}` : '';
  const isProgress = vetoes.some(({ seen }) => seen.progress);
  return isProgress
    ? { kind: 'progress', text: `${counted(vetoes.length, 'step')} in between brought or changed something (${example})${without}` }
    : { kind: 'changed', text: `${counted(vetoes.length, 'step')} in between could have changed the answer (${example})${without}` };
}

const listed = (steps: readonly { step: number }[]): string =>
  steps
    .slice(0, 4)
    .map(({ step }) => step)
    .join(', ');
