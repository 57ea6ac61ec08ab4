import type { Field } from './page-report.ts';

/** A value to type, by the label of its field. */
export interface PlanValue {
  label: string;
  value: string;
  /**
   * Only typed into password fields. Default: true if the label contains password, PIN, secret or
   * code.
   */
  secret?: boolean;
}

const SECRET = /\b(?:pass ?(?:word|phrase|code)?|pin|secret|cvc|cvv|token|one-time code|otp)\b/i;

export const isSecret = ({ label, secret }: PlanValue): boolean => secret ?? SECRET.test(label);

const words = (text: string): Set<string> => new Set(text.split(' '));

/** Words of a label without meaning for the match. */
const STOP = words(
  'your the a an enter please type here required optional field address in of my for choose e g eg',
);
/** Words that ask for the same value again. */
const AGAIN = words('repeat confirm again retype reenter re verify');
/** Label words that fit any value, in the supported languages. */
const GENERIC = words(
  'field value input text entry data item feld wert eingabe eintrag champ valeur saisie texte campo valor texto entrada valore testo veld waarde no nr',
);

const tokens = (text: string): string[] => {
  const plain = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/\be[\s-]mail\b/g, 'email');
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
};

const without = (all: readonly string[], some: ReadonlySet<string>): string[] => {
  const left = all.filter((word) => !some.has(word));
  return left.length > 0 ? left : [...all];
};

/** A label without case, punctuation and filler words. */
const plain = (text: string): string => without(tokens(text), STOP).join(' ');

/** The visible name of a field: its label, placeholder, or accessible name. */
const shownName = ({ label, placeholder, accessible }: Field): string =>
  label || placeholder || accessible;

/** Secrets only go into password fields, and password fields only take secrets. */
const isOfKind = (entry: PlanValue, { type }: Field): boolean =>
  isSecret(entry) === (type === 'password');

/** Whether the field could hold the value. */
function takes({ type }: Field, value: string): boolean {
  switch (type) {
    case 'email':
      return value.includes('@');
    case 'number':
    case 'range':
      return value.trim() !== '' && Number.isFinite(Number(value));
    case 'color':
      return /^#[0-9a-f]{6}$/i.test(value);
    case 'url':
      return /^[a-z]+:\/\//i.test(value);
    case 'tel':
      return /\d/.test(value);
    case 'date':
      return /^\d{4,}-\d\d-\d\d$/.test(value);
    case 'month':
      return /^\d{4,}-\d\d$/.test(value);
    case 'week':
      return /^\d{4,}-W\d\d$/.test(value);
    case 'time':
      return /^\d\d:\d\d(?::\d\d)?$/.test(value);
    case 'datetime-local':
      return /^\d{4,}-\d\d-\d\dT\d\d:\d\d/.test(value);
    default:
      return true;
  }
}

/** The value whose name equals the field's label; null if there is none or more than one. */
export function matchField(field: Field, values: readonly PlanValue[]): PlanValue | null {
  const name = plain(shownName(field));
  const fits = values.filter(
    (entry) =>
      name !== '' &&
      plain(entry.label) === name &&
      isOfKind(entry, field) &&
      takes(field, entry.value),
  );
  return fits.length === 1 ? fits[0]! : null;
}

/** Whether a password field asks for a secret of the plan a second time. */
export function asksAgain(field: Field, entry: PlanValue): boolean {
  const said = tokens(shownName(field));
  return (
    field.type === 'password' &&
    isSecret(entry) &&
    said.some((word) => AGAIN.has(word)) &&
    without(without(said, AGAIN), STOP).join(' ') === plain(entry.label)
  );
}

/**
 * The value for a field whose label decides nothing: the one that the markup names, or else the
 * first. Null if the label names something else.
 */
export function guessValue(field: Field, values: readonly PlanValue[]): PlanValue | null {
  const isGeneric = tokens(shownName(field)).every(
    (word) => GENERIC.has(word) || STOP.has(word) || /^\d+$/.test(word),
  );
  const could = isGeneric
    ? values.filter((entry) => isOfKind(entry, field) && takes(field, entry.value))
    : [];
  const named = could.filter(({ label }) =>
    [field.name, field.id].some((name) => name !== '' && plain(name) === plain(label)),
  );
  return named.length === 1 ? named[0]! : (could[0] ?? null);
}

/** Whether the field's label names another value of the plan. */
export const isForAnother = (
  field: Field,
  entry: PlanValue,
  values: readonly PlanValue[],
): boolean => {
  const meant = matchField(field, values);
  return meant !== null && meant !== entry;
};
