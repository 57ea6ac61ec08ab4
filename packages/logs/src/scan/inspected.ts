const TOKEN =
  /\s*(?:([{}[\](),:+])|('(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|`(?:[^`\\]|\\[\s\S])*`)|(<[^>]*>|\.\.\. \d+ more items?|[^\s{}[\](),:+'"`]+))/y;
const WORDS: Readonly<Record<string, unknown>> = {
  true: true,
  false: false,
  null: null,
  undefined: null,
  NaN: null,
};
const BROKEN = Symbol('broken');

/**
 * Parses the output of Node's `console.dir`, in which OpenTelemetry's console exporter writes
 * spans; undefined if it is something else. Omitted depths (`[Object]`) become texts.
 */
export function inspectedValue(text: string): unknown {
  TOKEN.lastIndex = 0;
  const tokens: RegExpExecArray[] = [];
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) tokens.push(match);
  let at = 0;
  const is = (sign: string): boolean => tokens[at]?.[1] === sign;
  const next = (): RegExpExecArray => tokens[at++] ?? fail();
  const fail = (): never => {
    throw BROKEN;
  };
  const skip = (sign: string): void => void (is(sign) ? at++ : fail());

  function value(): unknown {
    if (is('{')) return object();
    if (is('[')) return list();
    const [, , quoted, word = ''] = next();
    if (quoted !== undefined) return joined(quoted);
    // A class name before braces: `Resource {`, `Map(1) {`.
    if (is('(')) while (!is(')')) next();
    if (is(')')) at++;
    if (is('{') || is('[')) return value();
    if (word === '') return fail();
    const number = Number(word.replace(/n$/, ''));
    return Object.hasOwn(WORDS, word) ? WORDS[word] : Number.isNaN(number) ? word : number;
  }
  /** Long texts are printed in pieces joined by a plus. */
  function joined(first: string): string {
    let all = unquoted(first);
    while (is('+')) {
      at++;
      all += unquoted(next()[2] ?? fail());
    }
    return all;
  }
  function object(): unknown {
    skip('{');
    const fields: [string, unknown][] = [];
    while (!is('}')) {
      const [, , quoted, word] = next();
      const name = quoted === undefined ? word : unquoted(quoted);
      if (name === undefined) fail();
      skip(':');
      fields.push([name!, value()]);
      if (is(',')) at++;
    }
    at++;
    return Object.fromEntries(fields);
  }
  function list(): unknown {
    skip('[');
    const items: unknown[] = [];
    while (!is(']')) {
      items.push(value());
      // `[Object]` and `[Circular *1]` are words in brackets.
      while (!is(',') && !is(']')) next();
      if (is(',')) at++;
    }
    at++;
    return items.length === 1 && items[0] === 'Object' ? '[Object]' : items;
  }

  try {
    return value();
  } catch (error) {
    if (error === BROKEN || error instanceof RangeError) return undefined;
    throw error;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
};

const unquoted = (text: string): string =>
  text
    .slice(1, -1)
    .replace(/\\(?:x([\da-f]{2})|u([\da-f]{4})|([\s\S]))/gi, (_, x, u, sign) =>
      sign === undefined
        ? String.fromCharCode(Number.parseInt(x ?? u, 16))
        : (ESCAPES[sign] ?? sign),
    );
