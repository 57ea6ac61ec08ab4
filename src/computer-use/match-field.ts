import type { Field } from './page-report.ts';

/** A value that the plan wants typed, by the label of its field. */
export interface PlanValue {
  label: string;
  value: string;
  /** Typed into password fields only. Default: when the label says password, PIN, secret or code. */
  secret?: boolean;
}

const SECRET = /\b(?:pass ?(?:word|phrase|code)?|pin|secret|cvc|cvv|token|one-time code|otp)\b/i;

export const isSecret = ({ label, secret }: PlanValue): boolean => secret ?? SECRET.test(label);

/** Words for one thing. */
const SAME: readonly (readonly string[])[] = [
  ['email', 'mail'],
  ['phone', 'telephone', 'tel', 'mobile'],
  ['username', 'user', 'login'],
  ['zip', 'postal', 'postcode'],
  ['firstname', 'given', 'forename'],
  ['lastname', 'family', 'surname'],
  ['company', 'organization', 'organisation'],
  ['message', 'comment', 'comments'],
];
const CANON = new Map(SAME.flatMap((words) => words.map((word) => [word, words[0]!] as const)));
const JOINED: readonly [RegExp, string][] = [
  [/\be[ -]mail\b/g, 'email'],
  [/\b(first|given)[ -]?name\b/g, 'firstname'],
  [/\b(last|family)[ -]?name\b/g, 'lastname'],
  [/\buser[ -]?name\b/g, 'username'],
  [/\b(zip|postal)[ -]?code\b/g, 'zip'],
  [/\b(?:phone|telephone|mobile)[ -]?(?:number|no)\b/g, 'phone'],
];
/** Words of a label that name nothing. */
const FILLER = new Set([
  'your',
  'the',
  'a',
  'an',
  'enter',
  'please',
  'type',
  'here',
  'required',
  'optional',
  'field',
  'address',
  'in',
  'of',
  'my',
  'e',
  'g',
]);

function wordsOf(text: string): Set<string> {
  let plain = text.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  for (const [pattern, word] of JOINED) plain = plain.replace(pattern, word);
  const words = (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => CANON.get(word) ?? word);
  const telling = words.filter((word) => !FILLER.has(word));
  return new Set(telling.length > 0 ? telling : words);
}

const isIn = (some: Set<string>, all: Set<string>): boolean => some.size > 0 && [...some].every((word) => all.has(word));

/** 3: one of the field's names says exactly this. 2: it says this and more, or its type does. 1: this says it and more. */
function fit(field: Field, label: string): number {
  const wanted = wordsOf(label);
  let best = 0;
  for (const name of [field.label, field.purpose, field.placeholder, field.name, field.id]) {
    const words = wordsOf(name);
    if (isIn(wanted, words)) best = Math.max(best, wanted.size === words.size ? 3 : 2);
    else if (isIn(words, wanted)) best = Math.max(best, 1);
  }
  if (best === 0 && ['email', 'password', 'tel', 'search'].includes(field.type) && isIn(wordsOf(field.type), wanted)) return 2;
  return best;
}

/** The value meant for a field, or null when none is, or when two are equally likely. */
export function matchField(field: Field, pending: readonly PlanValue[]): PlanValue | null {
  const fits = pending
    .filter((entry) => isSecret(entry) === (field.type === 'password'))
    .map((entry) => ({ entry, score: fit(field, entry.label) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  const [first, second] = fits;
  return first && first.score !== second?.score ? first.entry : null;
}
