import type { AgentEvent, Call } from '@unrut/engine/event';
import { contentOf } from '@unrut/engine/fingerprint';
import { isObject } from '@unrut/engine/json';
import { contentText } from '@unrut/engine/outcomes/read-outcome';
import { redact } from '@unrut/engine/redact/redact';
import { excerpt, inputOf } from '../scan/excerpt.ts';
import type { ExplainedStep } from './follow.ts';
import type { ArgumentChange, Difference, StepChange } from './report.ts';
import { textDifference, withoutCommonWords } from './text-difference.ts';

/** Longer results are not compared, since only this much is checked for secrets. */
const MAX_LENGTH = 60_000;
const SHOWN = 80;
const MAX_CHANGES = 2;
const MAX_ARGUMENTS = 4;
/** Argument names that usually hold a shell command. */
const COMMAND = /^(?:command|cmd|script|code|input|arguments)$/i;

/**
 * The redacted result of a step; only redacted text is compared. If the text was cut, its last line
 * is omitted.
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
 * In results that count as the same, a change that would count was either learned to be noise or
 * contains nothing new.
 */
const asKnown = (change: StepChange): StepChange =>
  change.counts
    ? { ...change, as: change.as === 'a value' ? 'learned noise' : 'nothing new', counts: false }
    : change;

/** The first change of each kind, so that fifty times of day do not hide the one that matters. */
function pick(changes: readonly StepChange[], counts: boolean): StepChange[] {
  const wanted = changes.filter((change) => change.counts === counts);
  const kinds = wanted.filter((change, i) => wanted.findIndex(({ as }) => as === change.as) === i);
  return [...kinds, ...wanted.filter((change) => !kinds.includes(change))].slice(0, MAX_CHANGES);
}

/** Arguments that differ between two calls; not compared if the calls count as equal. */
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

/** Arguments by name; unnamed arguments are under one name. */
function namedArguments({ args }: Call): Record<string, unknown> {
  return isObject(args) ? args : { arguments: args };
}

/** One argument for display, redacted with its name, which may show that it is a secret. */
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

/** For long arguments, only the differing part. */
function shownArguments(before: string, after: string): Pick<StepChange, 'before' | 'after'> {
  const changed =
    before.length > SHOWN || after.length > SHOWN
      ? withoutCommonWords(before, after)
      : { before, after };
  return { before: excerpt(changed.before, SHOWN), after: excerpt(changed.after, SHOWN) };
}
