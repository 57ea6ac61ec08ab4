import type { Json } from '../event.ts';

/** A value that is JSON text already. As any value, `JSON.stringify` writes it out; who looks for `text` saves the work. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): Json {
    return JSON.parse(this.text) as Json;
  }
}
