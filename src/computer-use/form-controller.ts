import { isSecret, matchField, type PlanValue } from './match-field.ts';
import type { Field } from './page-report.ts';

/** Which field a value went into: enough to know it again, nothing of what it holds. */
const keyOf = ({ form, name, id, label, placeholder, type }: Field): string => [form, name || id || label || placeholder, type].join('|');

/** Keeps what the plan wants typed, what was typed where, and whether the form was sent off. */
export class FormController {
  readonly #values: readonly PlanValue[];
  readonly #consumed = new Set<PlanValue>();
  readonly #used = new Set<string>();
  readonly #forms = new Set<number>();
  submitted = false;

  constructor(values: readonly PlanValue[] = []) {
    this.#values = values;
  }

  /** Everything that the plan wants typed. */
  get values(): readonly PlanValue[] {
    return this.#values;
  }

  get pending(): PlanValue[] {
    return this.#values.filter((entry) => entry.value !== '' && !this.#consumed.has(entry));
  }

  /** The pending value that is meant for this field, when its label, name or type says so without doubt. */
  match(field: Field): PlanValue | null {
    return this.isUsed(field) ? null : matchField(field, this.pending);
  }

  /** The first pending value that may be typed here: secrets go into password fields, and nothing else does. */
  firstFor(field: Field): PlanValue | null {
    if (this.isUsed(field)) return null;
    return this.pending.find((entry) => isSecret(entry) === (field.type === 'password')) ?? null;
  }

  markConsumed(entry: PlanValue, field: Field): void {
    this.#consumed.add(entry);
    this.#used.add(keyOf(field));
    this.#forms.add(field.form);
  }

  /** Somebody typed into a field by themselves: a value of the plan is done with, whichever way it got there. */
  noteTyped(text: string, field: Field): void {
    const entry = this.pending.find(({ value }) => value === text);
    if (entry) this.markConsumed(entry, field);
  }

  isUsed(field: Field): boolean {
    return this.#used.has(keyOf(field));
  }

  /** The plan's values were for this form. */
  isOurs(form: number): boolean {
    return this.#forms.has(form);
  }
}
