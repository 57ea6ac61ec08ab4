import { maskValue, redact } from '../redact.ts';

/** Shorter values are too common to be looked for. */
const SHORTEST = 3;

/** Makes text fit to be saved: the values of the plan and what was typed become their lengths, secrets are masked. */
export class ValueHider {
  readonly #values = new Set<string>();

  /** From here on this text is hidden wherever it stands. */
  add(value: string): void {
    if (value.trim().length < SHORTEST) return;
    for (const form of [value, encodeURIComponent(value), encodeURIComponent(value).replaceAll('%20', '+')]) this.#values.add(form);
  }

  hide(text: string): string {
    let hidden = text;
    // The longest first, since one value may be part of another.
    for (const value of [...this.#values].sort((one, other) => other.length - one.length))
      hidden = hidden.replaceAll(value, maskValue(value));
    return redact(hidden);
  }
}
