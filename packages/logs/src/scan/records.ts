import type { TextLine } from '@unrut/reading/importer';
import { inspectedValue } from './inspected.ts';

/** Receives the records of a file. */
export interface RecordSink {
  record(value: unknown): void;
  /** A piece that is invalid JSON, too long, or cut off at the end of the file. */
  broken(why: Broken): void;
}

export type Broken = 'not JSON' | 'longer than 64 MB' | 'longer than 256 MB' | 'cut off';

export interface RecordReader {
  /** Bytes that are valid during the call. */
  write(chunk: Buffer): void;
  end(): void;
}

/** How an object begins that Node's console prints. */
const INSPECTED = /^\s*\{\r?\n {2}[a-zA-Z]\w*: /;
/** Bytes at the beginning from which the file's structure is detected. */
const BEGINNING = 1 << 20;
/** How much of that is searched for lines after the first. */
const LINES = 1 << 16;
/**
 * Max length of a record, which must fit into memory several times: as bytes, as text, and parsed.
 */
const MAX_LENGTH = 1 << 26;
/** Max length of a single JSON object, which cannot be read in pieces. */
const MAX_DOCUMENT_LENGTH = 1 << 28;

const NEW_LINE = 10;
const QUOTE = 34;
const COMMA = 44;
const [OPEN_LIST, BACKSLASH, CLOSE_LIST] = [91, 92, 93];
const [OPEN_OBJECT, CLOSE_OBJECT] = [123, 125];
const isSpace = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13);

/**
 * Splits bytes into records: JSON lines, the elements of a JSON array, or consecutive JSON values.
 */
export function createRecordReader(sink: RecordSink): RecordReader {
  let beginning: Buffer[] = [];
  let length = 0;
  /** How much must be there to decide. */
  let enough = BEGINNING;
  let lineEnd = -1;
  let reader: RecordReader | null = null;

  function decide(isAll: boolean): RecordReader {
    let bytes = Buffer.concat(beginning);
    beginning = [];
    const from = startOf(bytes);
    bytes = bytes.subarray(from === -1 ? bytes.length : from);
    reader = INSPECTED.test(bytes.toString('latin1', 0, 80))
      ? inspectedOf(sink)
      : !readsLines(bytes, isAll)
        ? valuesOf(sink)
        : linesOf(sink, isPlainText(bytes));
    reader.write(bytes);
    return reader;
  }
  /**
   * The first line may be long: it and some of the following text distinguish a multi-line object
   * from JSON lines.
   */
  function wait(chunk: Buffer): void {
    const end =
      lineEnd === -1 ? chunk.indexOf(NEW_LINE, length === 0 ? Math.max(0, startOf(chunk)) : 0) : -1;
    if (end !== -1) lineEnd = length + end;
    length += chunk.length;
    if (length < BEGINNING || beginning[0]![startOf(beginning[0]!)] !== OPEN_OBJECT) return;
    enough = lineEnd === -1 ? MAX_LENGTH : Math.max(BEGINNING, lineEnd + LINES);
  }

  return {
    write(chunk) {
      if (reader) {
        reader.write(chunk);
        return;
      }
      beginning.push(Buffer.from(chunk));
      wait(chunk);
      if (length >= enough) decide(false);
    },
    end() {
      (reader ?? decide(true)).end();
    },
  };
}

/** The start of the content, after a byte order mark and white space; -1 if there is none. */
function startOf(bytes: Buffer): number {
  const from = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  for (let i = from; i < bytes.length; i++) if (!isSpace(bytes[i]!)) return i;
  return -1;
}

/** Whether every line is a record; otherwise the file is JSON with arbitrary line breaks. */
function readsLines(bytes: Buffer, isAll: boolean): boolean {
  const end = bytes.indexOf(NEW_LINE);
  if (end === -1 && !isAll) return false;
  const [first = '', ...others] = bytes
    .subarray(0, Math.max(end, 0) + LINES)
    .toString('utf8')
    .split('\n');
  const value = parse(first);
  const isOnly = isAll && others.every((line) => line.trim() === '');
  if (value !== undefined) return !(Array.isArray(value) && isOnly);
  // The first line is broken, or belongs to a multi-line document.
  if (!/^[[{]/.test(first)) return true;
  return (
    !/^[[{]\s*$/.test(first) &&
    others.some((line) => line.startsWith('{"') && parse(line) !== undefined)
  );
}

/**
 * Plain text, whose lines are the records: its first line is not JSON, and no other line is a
 * record. Code may look like records, so in a text with a heading most lines must be none.
 */
function isPlainText(bytes: Buffer): boolean {
  const lines = bytes
    .toString('utf8', 0, LINES)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const [first] = lines;
  if (first === undefined || /^[[{]/.test(first) || parse(first) !== undefined) return false;
  const records = lines.filter((line) => /^\s*[[{]/.test(line) && parse(line) !== undefined);
  return records.length * 2 < (first.startsWith('# ') ? lines.length : 1);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Pieces of one record, up to a limit. */
function createHold(read: (text: string) => unknown = parse, maySplit = false) {
  let parts: Buffer[] = [];
  let length = 0;
  let longest = MAX_LENGTH;
  return {
    /** Starts collecting the pieces of a record of at most this length. */
    begin(limit: number): void {
      longest = limit;
    },
    add(bytes: Buffer): void {
      length += bytes.length;
      if (length <= longest) parts.push(bytes);
      else parts = [];
    },
    /** Copies the last bytes, whose buffer will be reused. */
    keep(): void {
      const last = parts.pop();
      if (last) parts.push(Buffer.from(last));
    },
    isEmpty: (): boolean => length === 0,
    /** Emits the collected bytes as JSON, or as broken, and clears them. */
    take(sink: RecordSink, isCut: boolean): void {
      const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
      const isTooLong = length > longest;
      parts = [];
      length = 0;
      if (isTooLong)
        sink.broken(longest === MAX_LENGTH ? 'longer than 64 MB' : 'longer than 256 MB');
      else {
        const text = bytes.toString('utf8');
        if (text.trim() === '' && read === parse) return;
        const value = read(text);
        if (value !== undefined) sink.record(value);
        else if (!maySplit || !SEVERAL.test(text) || !recordEach(text, sink))
          sink.broken(isCut ? 'cut off' : 'not JSON');
      }
    },
  };
}

/** Two processes that write to one file may put two records on one line. */
const SEVERAL = /^\s*\{[\s\S]*\}\s*\{/;

/** Emits consecutive objects in a text. False if it contains anything else. */
function recordEach(text: string, sink: RecordSink): boolean {
  const values: unknown[] = [];
  let isWhole = true;
  const reader = valuesOf({
    record: (value) => void values.push(value),
    broken: () => {
      isWhole = false;
    },
  });
  reader.write(Buffer.from(text));
  reader.end();
  if (isWhole) for (const value of values) sink.record(value);
  return isWhole;
}

function linesOf(sink: RecordSink, isText: boolean): RecordReader {
  const hold = createHold(isText ? (line) => ({ line }) : parse, !isText);
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
    end: () => void (hold.isEmpty() || hold.take(sink, true)),
  };
}

/** Objects in the format of Node's console, each starting with a brace at the margin. */
function inspectedOf(sink: RecordSink): RecordReader {
  let lines: string[] = [];
  const reader = linesOf(
    { record: (value) => take((value as TextLine).line), broken: sink.broken },
    true,
  );
  function take(line: string): void {
    lines.push(line.trimEnd());
    if (lines[0]!.trim() === '') lines = [];
    else if (!lines[0]!.startsWith('{')) finish('not JSON');
    else if (/^\}/.test(line)) finish('not JSON');
  }
  function finish(why: Broken): void {
    const value = inspectedValue(lines.join('\n'));
    lines = [];
    if (value === undefined) sink.broken(why);
    else sink.record(value);
  }
  return {
    write: reader.write,
    end() {
      reader.end();
      if (lines.length > 0) finish('cut off');
    },
  };
}

/**
 * Consecutive JSON values, or the elements of an array. Anything else is broken, up to the end of
 * its line.
 */
function valuesOf(sink: RecordSink): RecordReader {
  /** The nesting depth of a record: in an array, or at the top level. */
  let base = 0;
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  /** Within a value without brackets, such as a number, or within invalid text. */
  let isBare = false;
  const hold = createHold();
  return {
    write(chunk) {
      let start = depth > base || isBare ? 0 : -1;
      const begin = (at: number): void => {
        start = at;
        hold.begin(depth === 0 ? MAX_DOCUMENT_LENGTH : MAX_LENGTH);
      };
      const finish = (end: number): void => {
        hold.add(chunk.subarray(start, end));
        hold.take(sink, false);
        start = -1;
        isBare = false;
      };
      for (let i = 0; i < chunk.length; i++) {
        const byte = chunk[i]!;
        if (isText) {
          if (isEscaped) isEscaped = false;
          else if (byte === BACKSLASH) isEscaped = true;
          else if (byte === QUOTE) isText = false;
          continue;
        }
        if (isBare) {
          if (byte !== NEW_LINE && (depth === 0 || (byte !== COMMA && byte !== CLOSE_LIST)))
            continue;
          finish(i);
        }
        if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
          if (depth === 0) base = byte === OPEN_LIST ? 1 : 0;
          if (depth === base) begin(i);
          depth++;
        } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
          if (depth === 0) continue;
          depth--;
          if (depth === base && start !== -1) finish(i + 1);
        } else if (depth > base) isText = byte === QUOTE;
        else if (byte !== COMMA && !isSpace(byte)) {
          begin(i);
          isBare = true;
          isText = byte === QUOTE && depth > 0;
        }
      }
      if (start === -1) return;
      hold.add(chunk.subarray(start));
      hold.keep();
    },
    end() {
      if (depth > 0 && hold.isEmpty()) sink.broken('cut off');
      hold.take(sink, depth > 0);
    },
  };
}
