import type { ScreenAction } from './action.ts';
import { asksAgain, guessValue, isForAnother, matchField, type PlanValue } from './match-field.ts';
import type { Field } from './page-report.ts';

/** Identifies a field without its content. */
const keyOf = ({ form, name, id, label, placeholder, type }: Field): string =>
  [form, name || id || label || placeholder, type].join('|');

/** Tracks the plan's values, where they were typed, and whether the form was submitted. */
export class FormController {
  /** All values of the plan. */
  readonly values: readonly PlanValue[];
  readonly #consumed = new Set<PlanValue>();
  readonly #used = new Set<string>();
  readonly #forms = new Set<number>();
  /** A button or Return was pressed to submit the form. */
  submitted = false;
  /** The submission had an effect: the text changed, or the page sent a request. */
  sent = false;

  constructor(values: readonly PlanValue[] = []) {
    this.values = values;
  }

  get pending(): PlanValue[] {
    return this.values.filter((entry) => entry.value !== '' && !this.#consumed.has(entry));
  }

  /** Labels of the values that are not typed yet. */
  get missing(): string[] {
    return this.pending.map(({ label }) => label);
  }

  /**
   * The value for this field: its label equals the value's name, or it asks for a secret a second
   * time.
   */
  match(field: Field): PlanValue | null {
    if (this.isUsed(field)) return null;
    return (
      matchField(field, this.pending) ??
      this.values.find((entry) => this.#consumed.has(entry) && asksAgain(field, entry)) ??
      null
    );
  }

  /** A pending value for a field whose label decides nothing. */
  guess(field: Field): PlanValue | null {
    return this.isUsed(field) ? null : guessValue(field, this.pending);
  }

  /**
   * How to type a value into a field, at a point or at the focus, and what to record afterwards.
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
   * Records that the brain typed into a field. A value of the plan counts as typed unless the field
   * is for another one.
   */
  noteTyped(text: string, field: Field): void {
    const entry = this.pending.find(({ value }) => value === text);
    if (entry && !isForAnother(field, entry, this.values)) this.markConsumed(entry, field);
    else this.#used.add(keyOf(field));
  }

  isUsed(field: Field): boolean {
    return this.#used.has(keyOf(field));
  }

  /** Whether the plan's values were for this form. */
  isOurs(form: number): boolean {
    return this.#forms.has(form);
  }
}
