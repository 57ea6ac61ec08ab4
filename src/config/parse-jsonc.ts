/** JSON in which comments and a comma before a closing bracket are allowed. Throws a `SyntaxError` that says where, and quotes nothing. */
export function parseJsonc(text: string): unknown {
  const reader = { text: text.replace(/^\uFEFF/, ''), at: 0 };
  const value = readValue(reader, 0);
  if (peek(reader) !== undefined) fail(reader, 'the end of the file');
  return value;
}

interface Reader {
  text: string;
  at: number;
}

/** Deeper than any config, and far from the end of the stack. */
const DEEPEST = 100;
const SPACE = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\.)*"/y;
const WORD = /-?\d[\d.eE+-]*|true|false|null/y;

function readValue(reader: Reader, depth: number): unknown {
  const next = peek(reader);
  if (depth > DEEPEST) fail(reader, 'fewer brackets inside one another');
  if (next === '{') return Object.fromEntries(readMembers(reader, '}', () => readPair(reader, depth)));
  if (next === '[') return readMembers(reader, ']', () => readValue(reader, depth + 1));
  return next === '"' ? readText(reader) : readToken(reader, WORD, 'a value');
}

const readText = (reader: Reader): string => readToken(reader, TEXT, 'a text in double quotes') as string;

function readPair(reader: Reader, depth: number): [string, unknown] {
  const key = readText(reader);
  if (peek(reader) !== ':') fail(reader, 'a colon');
  reader.at++;
  return [key, readValue(reader, depth + 1)];
}

function readMembers<T>(reader: Reader, close: string, readMember: () => T): T[] {
  const members: T[] = [];
  reader.at++;
  while (peek(reader) !== close) {
    members.push(readMember());
    const next = peek(reader);
    if (next === ',') reader.at++;
    else if (next !== close) fail(reader, `a comma or ${close}`);
  }
  reader.at++;
  return members;
}

function readToken(reader: Reader, shape: RegExp, what: string): unknown {
  shape.lastIndex = reader.at;
  const [token] = shape.exec(reader.text) ?? fail(reader, what);
  try {
    const value: unknown = JSON.parse(token);
    reader.at += token.length;
    return value;
  } catch {
    return fail(reader, what);
  }
}

/** The next character that is neither space nor comment. */
function peek(reader: Reader): string | undefined {
  SPACE.lastIndex = reader.at;
  if (SPACE.test(reader.text)) reader.at = SPACE.lastIndex;
  return reader.text[reader.at];
}

function fail({ text, at }: Reader, what: string): never {
  const before = text.slice(0, at).split('\n');
  throw new SyntaxError(`line ${before.length}, column ${before.at(-1)!.length + 1}: expected ${what}`);
}
