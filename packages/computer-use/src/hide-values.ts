import { maskValue, redact } from '@unrut/engine/redact/redact';

/** Shorter values are too common to be looked for. */
const SHORTEST = 3;

/**
 * Makes text fit to be saved: the values of the plan and what was typed become their lengths,
 * secrets are masked.
 */
export class ValueHider {
  /** What stands for each way in which a value is written. */
  readonly #masks = new Map<string, string>();

  /** From here on this text is hidden wherever it stands. */
  add(value: string): void {
    if (value.trim().length < SHORTEST) return;
    const encoded = encodeURIComponent(value.toWellFormed());
    for (const form of [value, encoded, encoded.replaceAll('%20', '+')])
      this.#masks.set(form, maskValue(value));
  }

  hide(text: string): string {
    let hidden = text;
    // The longest first, since one value may be part of another.
    const longestFirst = [...this.#masks].sort(([one], [other]) => other.length - one.length);
    for (const [value, mask] of longestFirst) hidden = hidden.replaceAll(value, mask);
    return redact(hidden);
  }
}
