import { piecesOf } from '../fingerprint/noise-pieces.ts';
import { redact } from '../redact/redact.ts';
import { counted } from '../report/figures.ts';
import { callOf, namedArguments } from './differences.ts';
import type { Repetition } from './repetitions.ts';
import type { Setting } from './report.ts';
import { guardOptions, optionSetting } from './setting.ts';
import type { Voice, Voiced } from './what-if.ts';
import type { Workshop } from './workshop.ts';

const MOST_OPTIONS = 2;

/** Settings that would have found a repetition: the nearest value of an option, and arguments that need not make another call of it. */
export function findWith({ steps }: Repetition, { voiced, replayer, spoke }: Workshop): Setting[] {
  const [start, end] = [steps[0]!.step, steps.at(-1)!.step];
  const repeats = new Set(steps.map(({ step }) => step));
  // Of waiting there is never more to say than advice.
  const isWaiting = steps.every(({ seen }) => seen.neutral);
  const settings = nearestOf(
    voiced.flatMap((each) => {
      if (each.notches === 0) return [];
      const voices = each.voices.filter(
        ({ step, since, count, light }) =>
          (isWaiting || !light) && count > 1 && since >= start && repeats.has(step) && !spoke(each.detector, step),
      );
      return voices.length > 0 ? [{ ...each, voices, all: each.voices }] : [];
    }),
  ).map((each) => {
    const elsewhere = each.all.filter((voice) => !voice.light && !each.voices.includes(voice) && !spoke(each.detector, voice.step)).length;
    const also = elsewhere > 0 ? `, and at ${counted(elsewhere, 'other step')} of the run` : '';
    return optionSetting([each], `${each.detector} would have spoken at step ${each.voices[0]!.step}${also}`);
  });
  const identity = identityOf(steps);
  const heard = identity && replayer.replay({ guard: guardOptions(identity), upTo: end });
  const first = heard?.find(({ step, detector, light }) => !light && repeats.has(step) && !spoke(detector, step));
  return first ? [{ ...identity!, effect: `${first.detector} would have spoken at step ${first.step}` }, ...settings] : settings;
}

/** A variant with what it says here; `all` is what it says in the whole run. */
export interface Heeded extends Voiced {
  all: readonly Voice[];
}

/** The nearest variant of each detector, the nearest of all first; of equally near ones that which says least elsewhere. */
export function nearestOf(variants: readonly Heeded[]): Heeded[] {
  const sorted = [...variants].sort((one, other) => one.notches - other.notches || one.all.length - other.all.length);
  return sorted.filter((each, i) => sorted.findIndex(({ detector }) => detector === each.detector) === i).slice(0, MOST_OPTIONS);
}

/** The arguments that are equal in all calls of one tool with one answer, where the others differ in numbers and ids only. */
function identityOf(steps: Repetition['steps']): Setting | null {
  const calls = steps.flatMap(({ event }) => callOf(event) ?? []);
  if (new Set(steps.map(({ seen }) => seen.result?.digest)).size > 1) return null;
  const tool = calls[0]?.tool;
  if (
    tool === undefined ||
    calls.some((call) => call.tool !== tool) ||
    steps.some(({ seen }) => seen.call?.shell || seen.call?.verb === 'write')
  )
    return null;
  const names = [...new Set(calls.flatMap((call) => Object.keys(namedArguments(call))))].sort();
  const forms = (name: string, of: (text: string) => string): number =>
    new Set(calls.map((call) => of(JSON.stringify(namedArguments(call)[name]) ?? ''))).size;
  const equal = names.filter((name) => forms(name, (text) => text) === 1);
  if (equal.length === 0 || equal.length === names.length || names.some((name) => forms(name, withoutNumbers) > 1)) return null;
  if ([tool, ...equal].some((name) => redact(name) !== name) || equal.some((name) => name.includes('.'))) return null;
  return { tools: { [tool]: { identity: equal } }, effect: '' };
}

/** A text without its numbers, ids and times. */
const withoutNumbers = (text: string): string =>
  piecesOf(text)
    .map((piece) => (piece.counts === 'literal' ? piece.text.replace(/\d+/g, '#') : '#'))
    .join('');
