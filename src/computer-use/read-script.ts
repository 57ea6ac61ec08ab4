import { isObject } from '../json.ts';
import type { ActionType, Proposal } from './action.ts';

type Given = Record<string, unknown>;
interface Kind {
  words: string;
  fits(value: unknown): boolean;
}
type Fields = Readonly<Record<string, Kind>>;

const number: Kind = { words: 'a number', fits: Number.isFinite };
const duration: Kind = { words: 'a number from 0 on', fits: (value) => Number.isFinite(value) && (value as number) >= 0 };
const whole: Kind = { words: 'a whole number from 0 on', fits: (value) => Number.isInteger(value) && (value as number) >= 0 };
const text: Kind = { words: 'text', fits: (value) => typeof value === 'string' };
const flag: Kind = { words: 'true or false', fits: (value) => typeof value === 'boolean' };
const oneOf = (...names: string[]): Kind => ({ words: `one of ${names.join(', ')}`, fits: (value) => names.includes(value as string) });

/** What each kind of action has, and what it may have. */
const ACTIONS: Readonly<Record<ActionType, readonly [needed: Fields, optional?: Fields]>> = {
  click: [{ x: number, y: number }, { button: oneOf('left', 'right', 'middle') }],
  double_click: [{ x: number, y: number }],
  type_text: [{ text }, { replace: flag, x: number, y: number }],
  key_press: [{ keys: text }],
  scroll: [
    { direction: oneOf('up', 'down', 'left', 'right'), amount: number },
    { x: number, y: number },
  ],
  drag: [{ x: number, y: number, end_x: number, end_y: number }],
  wait: [{ seconds: duration }],
  done: [{ success: flag, summary: text }],
};

/** The proposals of a script, or what is wrong with the first that is none: what was expected, and what came. */
export function readScript(given: readonly unknown[]): readonly Proposal[] | { wrong: string } {
  for (const [i, proposal] of given.entries()) {
    const wrong = wrongIn(proposal, `brain.script[${i}]`);
    if (wrong !== undefined) return { wrong };
  }
  return given as readonly Proposal[];
}

function wrongIn(proposal: unknown, where: string): string | undefined {
  if (!isObject(proposal)) return `expected ${where} to be an object with an action, got ${kindOf(proposal)}`;
  if (!isObject(proposal.action)) return `expected ${where}.action to be an object with a type, got ${kindOf(proposal.action)}`;
  const { action, ...said } = proposal as { action: Given };
  if (typeof action.type !== 'string' || !Object.hasOwn(ACTIONS, action.type))
    return `expected ${where}.action.type to be one of ${Object.keys(ACTIONS).join(', ')}, got ${nameOf(action.type)}`;
  const { type, ...fields } = action;
  const [needed, optional = {}] = ACTIONS[type as ActionType];
  return wrongField(fields, needed, optional, `${where}.action`) ?? wrongField(said, {}, { reasoning: text, planStep: whole }, where);
}

function wrongField(given: Given, needed: Fields, optional: Fields, where: string): string | undefined {
  const known = { ...needed, ...optional };
  for (const [name, kind] of Object.entries(known))
    if ((name in needed || given[name] !== undefined) && !kind.fits(given[name]))
      return `expected ${where}.${name} to be ${kind.words}, got ${kind === text ? kindOf(given[name]) : sayValue(given[name])}`;
  const strange = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  return strange === undefined ? undefined : `there is no ${where}.${strange.slice(0, 40)}; known are ${Object.keys(known).join(', ')}`;
}

const kindOf = (value: unknown): string =>
  value === null || value === undefined
    ? 'nothing'
    : Array.isArray(value)
      ? 'a list'
      : isObject(value)
        ? 'an object'
        : typeof value === 'string'
          ? 'text'
          : `a ${typeof value}`;

/** A number as it is. Of other values only the kind is told, since they may be something to type. */
const sayValue = (value: unknown): string => (typeof value === 'number' ? String(value) : kindOf(value));

const nameOf = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value.slice(0, 20)) : kindOf(value));
