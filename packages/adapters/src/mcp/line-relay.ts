import { Transform, type TransformCallback } from 'node:stream';

/** Longer lines pass in pieces, unread, which limits the buffer. */
const MAX_LENGTH = 1 << 26;
const NEWLINE = 10;

/**
 * Passes a stream of lines on, each through `rewrite`, with its ending and byte for byte unless
 * that gives another.
 */
export class LineRelay extends Transform {
  /** The beginning of a line whose end has not come; joined once, when it has. */
  #held: Buffer[] = [];
  #length = 0;
  /** In the middle of a line that is too long. */
  #passing = false;
  #waiting: Buffer[] = [];
  readonly #rewrite: (line: Buffer) => Buffer | null;
  readonly #longest: number;

  constructor(rewrite: (line: Buffer) => Buffer | null, longest: number = MAX_LENGTH) {
    super();
    this.#rewrite = rewrite;
    this.#longest = longest;
  }

  /** Inserts our own line between two others; ignored after the stream has ended. */
  insert(line: Buffer): void {
    if (this.#passing) this.#waiting.push(line);
    else if (!this.readableEnded && !this.writableFinished && !this.destroyed) this.push(line);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#endLine(chunk.subarray(from, end + 1));
      from = end + 1;
    }
    if (from < chunk.length) this.#hold(chunk.subarray(from));
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#release();
    done();
  }

  #hold(piece: Buffer): void {
    this.#held.push(piece);
    this.#length += piece.length;
    if (this.#passing || this.#length > this.#longest) {
      this.#release();
      this.#passing = true;
    }
  }

  #endLine(piece: Buffer): void {
    if (this.#passing) {
      this.push(piece);
      this.#passing = false;
      for (const line of this.#waiting.splice(0)) this.push(line);
      return;
    }
    const line = this.#held.length === 0 ? piece : Buffer.concat([...this.#held, piece]);
    this.#held = [];
    this.#length = 0;
    const written = this.#rewrite(line);
    if (written) this.push(written);
  }

  #release(): void {
    for (const piece of this.#held.splice(0)) this.push(piece);
    this.#length = 0;
  }
}
