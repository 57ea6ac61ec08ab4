import type { ScreenAction } from './action.ts';
import { asksAgain, guessValue, isForAnother, matchField, type PlanValue } from './match-field.ts';
import type { Field } from './page-report.ts';

/** Which field a value went into: enough to know it again, nothing of what it holds. */
const keyOf = ({ form, name, id, label, placeholder, type }: Field): string =>
  [form, name || id || label || placeholder, type].join('|');

/** Keeps what the plan wants typed, what was typed where, and whether the form was sent off. */
export class FormController {
  /** Everything that the plan wants typed. */
  readonly values: readonly PlanValue[];
  readonly #consumed = new Set<PlanValue>();
  readonly #used = new Set<string>();
  readonly #forms = new Set<number>();
  /** A button or Return was pressed to send the form off. */
  submitted = false;
  /** Something came of that: what is written changed, or the page asked its server. */
  sent = false;

  constructor(values: readonly PlanValue[] = []) {
    this.values = values;
  }

  get pending(): PlanValue[] {
    return this.values.filter((entry) => entry.value !== '' && !this.#consumed.has(entry));
  }

  /** Labels of what is still to be typed. */
  get missing(): string[] {
    return this.pending.map(({ label }) => label);
  }

  /**
   * The value that is meant for this field: its label says exactly its name, or asks for a secret
   * once more.
   */
  match(field: Field): PlanValue | null {
    if (this.isUsed(field)) return null;
    return (
      matchField(field, this.pending) ??
      this.values.find((entry) => this.#consumed.has(entry) && asksAgain(field, entry)) ??
      null
    );
  }

  /** The pending value that may be typed where the label decides nothing. */
  guess(field: Field): PlanValue | null {
    return this.isUsed(field) ? null : guessValue(field, this.pending);
  }

  /**
   * How a value is typed into a field, at a point or where the focus is, and what is to be noted
   * then.
   */
  fill(
    entry: PlanValue,
    field: Field,
    point: { x?: number; y?: number } = {},
  ): { action: ScreenAction; performed: () => void } {
    const replace = field.type.startsWith('select') ? {} : { replace: true };
    return {
      action: { type: 'type_text', text: entry.value, ...replace, ...point },
      performed: () => this.markConsumed(entry, field),
    };
  }

  markConsumed(entry: PlanValue, field: Field): void {
    this.#consumed.add(entry);
    this.#used.add(keyOf(field));
    this.#forms.add(field.form);
    this.submitted = false;
    this.sent = false;
  }

  /**
   * The brain typed into a field by itself: a value of the plan is done with, unless the field is
   * for another one.
   */
  noteTyped(text: string, field: Field): void {
    const entry = this.pending.find(({ value }) => value === text);
    if (entry && !isForAnother(field, entry, this.values)) this.markConsumed(entry, field);
    else this.#used.add(keyOf(field));
  }

  isUsed(field: Field): boolean {
    return this.#used.has(keyOf(field));
  }

  /** The plan's values were for this form. */
  isOurs(form: number): boolean {
    return this.#forms.has(form);
  }
}
