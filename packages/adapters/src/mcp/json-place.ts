const [QUOTE, BACKSLASH, COMMA, COLON] = [...'"\\,:'].map((sign) => sign.charCodeAt(0));
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'[]{}'].map((sign) =>
  sign.charCodeAt(0),
);
/** Space, tab and the ends of lines; all other bytes of JSON between values are signs. */
const BLANK = 32;

/**
 * A member of an object or an item of a list: its bytes with the blanks around them, and its value.
 */
interface Part {
  name: string | undefined;
  from: number;
  to: number;
  value: JsonPlace;
}

/**
 * A value in valid JSON text that can be changed and serialised again, keeping every unchanged
 * byte: whitespace, escapes, digits of numbers, duplicate names.
 */
export class JsonPlace {
  readonly #bytes: Buffer;
  readonly #from: number;
  readonly #to: number;
  #found: Part[] | undefined;
  /** Text appended after the parts, or replacing all of them. */
  #added: string[] = [];
  #instead: string | undefined;

  constructor(bytes: Buffer, from = 0, to = bytes.length) {
    this.#bytes = bytes;
    this.#from = pastBlanks(bytes, from);
    this.#to = to;
  }

  get isObject(): boolean {
    return this.#bytes[this.#from] === OPEN_OBJECT;
  }

  get isList(): boolean {
    return this.#bytes[this.#from] === OPEN_LIST;
  }

  /** The items of a list; any other value as a single item. */
  items(): JsonPlace[] {
    return this.isList ? this.#parts().map(({ value }) => value) : [this];
  }

  /** A member of an object; the last one of this name, which is the one that counts. */
  get(name: string): JsonPlace | undefined {
    return this.isObject ? this.#parts().findLast((part) => part.name === name)?.value : undefined;
  }

  /** Replaces a member of an object, or adds it behind the others. */
  set(name: string, value: unknown): void {
    const there = this.get(name);
    if (there) there.#instead = JSON.stringify(value);
    else this.#added.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
  }

  /** Takes a member out of an object, however often it is there. */
  delete(name: string): void {
    if (this.isObject) this.#found = this.#parts().filter((part) => part.name !== name);
  }

  /** Adds an item to the end of a list. */
  push(value: unknown): void {
    this.#added.push(JSON.stringify(value));
  }

  /** The value as it is now, with the blanks after it. */
  write(): Buffer {
    if (this.#instead !== undefined) return Buffer.from(this.#instead);
    if (!this.#found && this.#added.length === 0) return this.#bytes.subarray(this.#from, this.#to);
    const end = endOf(this.#bytes, this.#from);
    const pieces = this.#parts().map(({ from, to, value }) =>
      Buffer.concat([
        this.#bytes.subarray(from, value.#from),
        value.write(),
        this.#bytes.subarray(value.#to, to),
      ]),
    );
    const all = [...pieces, ...this.#added.map((each) => Buffer.from(each))];
    const [first, last] = [
      this.#bytes.subarray(this.#from, this.#from + 1),
      this.#bytes.subarray(end - 1, this.#to),
    ];
    return Buffer.concat([
      first,
      ...all.flatMap((piece, i) => (i === 0 ? [piece] : [SEPARATOR, piece])),
      last,
    ]);
  }

  #parts(): Part[] {
    this.#found ??= partsOf(this.#bytes, this.#from, this.isObject);
    return this.#found;
  }
}

const SEPARATOR = Buffer.from(',');

function partsOf(bytes: Buffer, open: number, named: boolean): Part[] {
  const parts: Part[] = [];
  for (let from = open + 1; ; ) {
    let at = pastBlanks(bytes, from);
    if (bytes[at] === CLOSE_OBJECT || bytes[at] === CLOSE_LIST) return parts;
    let name: string | undefined;
    if (named) {
      const end = endOf(bytes, at);
      name = JSON.parse(bytes.toString('utf8', at, end)) as string;
      at = pastBlanks(bytes, bytes.indexOf(COLON!, end) + 1);
    }
    const end = endOf(bytes, at);
    const to = pastBlanks(bytes, end);
    parts.push({ name, from, to, value: new JsonPlace(bytes, at, end) });
    if (bytes[to] !== COMMA) return parts;
    from = to + 1;
  }
}

function pastBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at]! <= BLANK) at++;
  return at;
}

/** Behind the value that begins here. */
function endOf(bytes: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at++) {
    const sign = bytes[at]!;
    if (sign === QUOTE) at = endOfText(bytes, at) - 1;
    else if (sign === OPEN_OBJECT || sign === OPEN_LIST) depth++;
    else if (sign === CLOSE_OBJECT || sign === CLOSE_LIST) depth--;
    else if (depth > 0 || !isEnd(bytes[at + 1])) continue;
    if (depth === 0) return at + 1;
  }
  return bytes.length;
}

/** Whether a number or a word ends before this byte. */
const isEnd = (sign: number | undefined): boolean =>
  sign === undefined ||
  sign <= BLANK ||
  sign === COMMA ||
  sign === CLOSE_OBJECT ||
  sign === CLOSE_LIST;

function endOfText(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(QUOTE!, from + 1); at >= 0; at = bytes.indexOf(QUOTE!, at + 1)) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return bytes.length;
}
