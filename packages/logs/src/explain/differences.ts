import type { AgentEvent, Call } from '@unrut/engine/event';
import { contentOf } from '@unrut/engine/fingerprint';
import { isObject } from '@unrut/engine/json';
import { contentText } from '@unrut/engine/outcomes/read-outcome';
import { redact } from '@unrut/engine/redact/redact';
import { excerpt, inputOf } from '../scan/excerpt.ts';
import type { ExplainedStep } from './follow.ts';
import type { ArgumentChange, Difference, StepChange } from './report.ts';
import { textDifference, withoutCommonWords } from './text-difference.ts';

/** More of a result is not compared, as no more of it is looked at for secrets. */
const MAX_LENGTH = 60_000;
const SHOWN = 80;
const MAX_CHANGES = 2;
const MAX_ARGUMENTS = 4;
/** Under these names tools take what a shell is to run. */
const COMMAND = /^(?:command|cmd|script|code|input|arguments)$/i;

/**
 * The result of a step, redacted: only such text is compared for a reader. The last line is left
 * out where the text was cut.
 */
export function resultText(event: AgentEvent): string {
  const raw = rawResult(event);
  const text = redact(raw.slice(0, MAX_LENGTH));
  return raw.length > MAX_LENGTH ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
}

function rawResult(event: AgentEvent): string {
  switch (event.type) {
    case 'call-finished':
      return contentText(event);
    case 'action-finished':
      return event.effect === undefined ? '' : contentOf(event.effect).text;
    case 'output-finished':
      return event.output;
    case 'text-added':
      return event.text;
    default:
      return '';
  }
}

/**
 * How two steps differ in input, output and how they were read; null if they do not differ.
 */
export function differenceOf(one: ExplainedStep, other: ExplainedStep): Difference | null {
  if (one.event.type === 'text-added') return null;
  const changed = argumentChanges(one, other);
  // Different calls may well bring different results.
  const result = changed.some(({ counts }) => counts) ? [] : resultChanges(one, other);
  if (changed.length === 0 && result.length === 0) return null;
  const shown = [...pick(result, true), ...pick(result, false)];
  return {
    steps: [one.step, other.step],
    arguments: changed.slice(0, MAX_ARGUMENTS),
    result: shown.map((change) => ({
      ...change,
      before: excerpt(change.before, SHOWN),
      after: excerpt(change.after, SHOWN),
    })),
    more: result.length - shown.length + Math.max(0, changed.length - MAX_ARGUMENTS),
  };
}

function resultChanges(one: ExplainedStep, other: ExplainedStep): StepChange[] {
  const changes = textDifference(resultText(one.event), resultText(other.event));
  const [{ result, output }, { result: again, output: then }] = [one.seen, other.seen];
  if (result && result.digest === again?.digest) return changes.map(asKnown);
  const isSame = output && output.signature === then?.signature;
  return isSame
    ? changes.map((each) => ({ ...each, as: 'not in the signature', counts: false }))
    : changes;
}

/**
 * In results that were taken for the same, what would count was learned to be noise, or has nothing
 * in it that was never seen.
 */
const asKnown = (change: StepChange): StepChange =>
  change.counts
    ? { ...change, as: change.as === 'a value' ? 'learned noise' : 'nothing new', counts: false }
    : change;

/** The first of each kind, so that fifty times of day do not hide the one value. */
function pick(changes: readonly StepChange[], counts: boolean): StepChange[] {
  const wanted = changes.filter((change) => change.counts === counts);
  const kinds = wanted.filter((change, i) => wanted.findIndex(({ as }) => as === change.as) === i);
  return [...kinds, ...wanted.filter((change) => !kinds.includes(change))].slice(0, MAX_CHANGES);
}

/**
 * Arguments that are not the same in two calls. Where the calls are equal all the same, they are
 * not looked at.
 */
export function argumentChanges(one: ExplainedStep, other: ExplainedStep): ArgumentChange[] {
  const [before, after] = [callOf(one.event), callOf(other.event)];
  if (!before || !after) return [];
  const counts = one.seen.call?.key !== other.seen.call?.key;
  const names = new Set([
    ...Object.keys(namedArguments(before)),
    ...Object.keys(namedArguments(after)),
  ]);
  return [...names]
    .filter(
      (name) =>
        JSON.stringify(namedArguments(before)[name]) !==
        JSON.stringify(namedArguments(after)[name]),
    )
    .map((name) => ({
      name: redact(name),
      ...shownArguments(argumentText(before, name), argumentText(after, name)),
      as: one.seen.call?.shell && COMMAND.test(name) ? one.seen.call.label : 'not looked at',
      counts,
    }));
}

function callOf(event: AgentEvent): Call | null {
  return event.type === 'call-finished' || event.type === 'call-proposed' ? event.call : null;
}

/** Arguments by name; where they have none, all of them under one. */
function namedArguments({ args }: Call): Record<string, unknown> {
  return isObject(args) ? args : { arguments: args };
}

/** One argument as a reader may see it: with its name, since that may say that it is a secret. */
function argumentText(call: Call, name: string): string {
  const args = namedArguments(call);
  if (!Object.hasOwn(args, name)) return '';
  const shown = inputOf({
    type: 'call-proposed',
    session: '',
    at: 0,
    call: {
      ...call,
      args: name === 'arguments' && args !== call.args ? call.args : { [name]: args[name] },
    },
  });
  return shown.startsWith(`${name}: `) ? shown.slice(name.length + 2) : shown;
}

/** Of long arguments only what differs. */
function shownArguments(before: string, after: string): Pick<StepChange, 'before' | 'after'> {
  const changed =
    before.length > SHOWN || after.length > SHOWN
      ? withoutCommonWords(before, after)
      : { before, after };
  return { before: excerpt(changed.before, SHOWN), after: excerpt(changed.after, SHOWN) };
}
