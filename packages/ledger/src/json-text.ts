import type { Json } from '@unrut/engine/event';

/**
 * A value that is JSON text already. As any value, `JSON.stringify` writes it out; who looks for
 * `text` saves the work.
 */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): Json {
    return JSON.parse(this.text) as Json;
  }
}

/** A value as the text that is kept of it. */
export const jsonTextOf = (value: Json | JsonText): string =>
  value instanceof JsonText ? value.text : JSON.stringify(value);
