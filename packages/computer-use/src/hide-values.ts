import { maskValue, redact } from '@unrut/engine/redact/redact';

/** Shorter values are too common to search for. */
const SHORTEST = 3;

/**
 * Makes text safe to store: replaces the plan's values and typed text by their lengths, and masks
 * secrets.
 */
export class ValueHider {
  /** The replacement for each spelling of a value. */
  readonly #masks = new Map<string, string>();

  /** Hides this text from now on. */
  add(value: string): void {
    if (value.trim().length < SHORTEST) return;
    const encoded = encodeURIComponent(value.toWellFormed());
    for (const form of [value, encoded, encoded.replaceAll('%20', '+')])
      this.#masks.set(form, maskValue(value));
  }

  hide(text: string): string {
    let hidden = text;
    // Longest first, because one value may contain another.
    const longestFirst = [...this.#masks].sort(([one], [other]) => other.length - one.length);
    for (const [value, mask] of longestFirst) hidden = hidden.replaceAll(value, mask);
    return redact(hidden);
  }
}
