/** Where the records of a file go. */
export interface RecordSink {
  record(value: unknown): void;
  /** A piece that is no JSON, too long to be read, or cut off by the end of the file. */
  broken(why: Broken): void;
}

export type Broken = 'not JSON' | 'too long' | 'cut off';

export interface RecordReader {
  /** Bytes that are valid during the call. */
  write(chunk: Buffer): void;
  end(): void;
}

/** The form of a file is decided on its beginning. */
const BEGINNING = 1 << 20;
/** As much of it as is looked at for lines, beside the first one. */
const LINES = 1 << 16;
/** A record must fit into memory several times over: as bytes, as text, and as what is parsed of it. */
const LONGEST = 1 << 26;
/** A file that is a single JSON object cannot be read in pieces. */
const LONGEST_DOCUMENT = 1 << 28;

const NEW_LINE = 10;
const isSpace = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13);

/** Cuts bytes into records: the lines of JSON lines, the elements of a JSON array, or the JSON values that follow each other in a file. */
export function createRecordReader(sink: RecordSink): RecordReader {
  let beginning: Buffer[] | null = [];
  let reader: RecordReader | null = null;

  function decide(isAll: boolean): void {
    let bytes = Buffer.concat(beginning!);
    if (bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) bytes = bytes.subarray(3);
    const from = bytes.findIndex((byte) => !isSpace(byte));
    beginning = null;
    if (from === -1) bytes = Buffer.alloc(0);
    reader = readsLines(bytes.subarray(Math.max(0, from)), isAll) ? linesOf(sink) : valuesOf(sink);
    reader.write(bytes);
  }

  return {
    write(chunk) {
      if (reader) {
        reader.write(chunk);
        return;
      }
      beginning!.push(Buffer.from(chunk));
      if (beginning!.reduce((sum, { length }) => sum + length, 0) >= BEGINNING) decide(false);
    },
    end() {
      if (!reader) decide(true);
      reader!.end();
    },
  };
}

/** Whether every line is a record of its own; else the file is JSON that does not care about lines. */
function readsLines(bytes: Buffer, isAll: boolean): boolean {
  const end = bytes.indexOf(NEW_LINE);
  if (end === -1 && !isAll) return false;
  const [first = '', ...others] = bytes.subarray(0, Math.max(end, LINES)).toString('utf8').split('\n');
  const value = parse(first);
  const isOnly = isAll && others.every((line) => line.trim() === '');
  if (value !== undefined) return !(Array.isArray(value) && isOnly);
  // A first line that is broken, or one of a document that is written over many.
  if (!/^[[{]/.test(first)) return true;
  return !/^[[{]\s*$/.test(first) && others.some((line) => line.startsWith('{"') && parse(line) !== undefined);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Pieces of one record, up to a limit. */
function createHold(longest: number) {
  let parts: Buffer[] = [];
  let length = 0;
  return {
    add(bytes: Buffer): void {
      length += bytes.length;
      if (length <= longest) parts.push(bytes);
      else parts = [];
    },
    /** The bytes added last will not be valid any more. */
    keep(): void {
      const last = parts.pop();
      if (last) parts.push(Buffer.from(last));
    },
    /** What was held: as JSON, or why it is none. Holds nothing afterwards. */
    take(sink: RecordSink, isCut: boolean): void {
      const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
      const isTooLong = length > longest;
      parts = [];
      length = 0;
      if (isTooLong) sink.broken('too long');
      else {
        const text = bytes.toString('utf8');
        if (text.trim() === '') return;
        const value = parse(text);
        if (value === undefined) sink.broken(isCut ? 'cut off' : 'not JSON');
        else sink.record(value);
      }
    },
  };
}

function linesOf(sink: RecordSink): RecordReader {
  const hold = createHold(LONGEST);
  return {
    write(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(NEW_LINE); end !== -1; end = chunk.indexOf(NEW_LINE, start)) {
        hold.add(chunk.subarray(start, end));
        hold.take(sink, false);
        start = end + 1;
      }
      if (start === chunk.length) return;
      hold.add(chunk.subarray(start));
      hold.keep();
    },
    end: () => hold.take(sink, true),
  };
}

/** JSON values one after the other, or the elements of an array of them. Only objects and arrays are records. */
function valuesOf(sink: RecordSink): RecordReader {
  let base: 0 | 1 | null = null;
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let hold = createHold(LONGEST);
  return {
    write(chunk) {
      let start = depth > (base ?? 0) ? 0 : -1;
      for (let i = 0; i < chunk.length; i++) {
        const byte = chunk[i]!;
        if (isText) {
          if (isEscaped) isEscaped = false;
          else if (byte === 92) isEscaped = true;
          else if (byte === 34) isText = false;
        } else if (byte === 34) isText = true;
        else if (byte === 123 || byte === 91) {
          if (base === null) {
            base = byte === 91 ? 1 : 0;
            if (base === 0) hold = createHold(LONGEST_DOCUMENT);
          }
          if (depth === base && start === -1) start = i;
          depth++;
        } else if ((byte === 125 || byte === 93) && depth > 0) {
          depth--;
          if (depth === base && start !== -1) {
            hold.add(chunk.subarray(start, i + 1));
            hold.take(sink, false);
            start = -1;
          }
        }
      }
      if (start === -1) return;
      hold.add(chunk.subarray(start));
      hold.keep();
    },
    end() {
      hold.take(sink, true);
    },
  };
}
