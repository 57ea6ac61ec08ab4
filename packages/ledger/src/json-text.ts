import type { Json } from '@unrut/engine/event';

/**
 * A value that is already JSON text. `JSON.stringify` treats it as any value; code that reads
 * `text` avoids that work.
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

/** The JSON text to store for a value. */
export const jsonTextOf = (value: Json | JsonText): string =>
  value instanceof JsonText ? value.text : JSON.stringify(value);
