/**
 * Finds the value after a telling name: `password=…`, `"apiKey": "…"`, `--token …`, `Cookie: …`.
 */

/** Start and end of a value in a text. */
export type SecretSpan = readonly [start: number, end: number];

const NAME =
  /(?:apikey|apisecret|password|passwords|passwd|passphrase|passcode|pwd|secret|token|authorization|cookies?|privatekey|secretkey|accesskey|accesskeyid|signingkey|encryptionkey|masterkey|authkey|accountkey|sharedaccesskey|xamzsignature|xamzsecuritytoken|xgoogsignature|credentials?)$|^sig$/;
const HEADER = /(?:authorization|cookie)$/;
const KEY_BEFORE = /\b(?:api|secret|private|access|auth|encryption|signing)[ \t]+$/i;
/** Words that occur in the place of a value in code, schemas and prose. */
const NO_VALUE =
  /^(?:true|false|null|undefined|none|nil|string|number|boolean|any|unknown|str|int|bool|object|required|optional|missing|invalid|expired|empty|yes|no|not|is|to|or|and|for|in|as|with|was|must|the|from|flag|option|argument|value|when|if|redacted|\*+)$/i;
/** References to a value that is stored elsewhere. */
const REFERENCE = /^(?:\$[{(A-Za-z_]|process\.env\b|import\.meta\b|os\.environ|<value:\d)/;

/** Whether a name, in any case and with any separators, is that of a secret. */
function isSecretName(name: string): boolean {
  if (name.length < 3 || name.length > 64) return false;
  return NAME.test(compact(name)) || /^_auth$|[A-Z0-9]_PASS$/.test(name);
}

const compact = (name: string): string =>
  name.replaceAll('-', '').replaceAll('_', '').toLowerCase();

/** A secret's name in a text, and what is around it. */
interface Named {
  start: number;
  end: number;
  /** The name in lower case without separators. */
  short: string;
  /** `--token` */
  flag: boolean;
  /** A quote follows it: `"token": …` */
  quoted: boolean;
}

/**
 * The value after the name at `start` to `nameEnd`, without its quotes; null if the name is not a
 * secret's or has no value. Reads no further than the end of the value.
 */
export function valueAfter(text: string, start: number, nameEnd: number): SecretSpan | null {
  if (!mayBeFollowed(text, nameEnd)) return null;
  const name = text.slice(start, nameEnd);
  if (name === '-u' || name === '--user' || name === '--proxy-user')
    return userAndPassword(text, nameEnd);
  if (!isTelling(text, start, name)) return null;
  const quoteEnd = skipQuote(text, nameEnd);
  const quoted = quoteEnd > nameEnd;
  const named = { start, end: nameEnd, short: compact(name), flag: name.startsWith('-'), quoted };
  const at = skipBlanks(text, quoteEnd);
  if (isTag(text, at, named)) return untilTag(text, at + 1);
  const after = separatorEnd(text, at, named);
  return after === null ? null : valueAt(text, skipBlanks(text, after), at, named);
}

/** Whether the name is that of a secret, and is not the `token` of a parser's complaint. */
const isTelling = (text: string, start: number, name: string): boolean =>
  (isSecretName(name) ||
    (/^key$/i.test(name) && KEY_BEFORE.test(text.slice(Math.max(0, start - 16), start)))) &&
  !/unexpected\s$/i.test(text.slice(Math.max(0, start - 11), start));

/** `<password>…` */
const isTag = (text: string, at: number, { start, end }: Named): boolean =>
  text[at] === '>' && at === end && text[start - 1] === '<';

/** The index after what separates the name from its value; null if nothing does. */
function separatorEnd(text: string, at: number, { end, flag, quoted }: Named): number | null {
  switch (text[at]) {
    case ':':
      if (isColon(text, at)) return at + 1;
      if (text[at + 1] === '=') return at + 2;
      break;
    case '=':
      if (text[at + 1] === '=') break;
      if (text[at + 1] !== '>') return at + 1;
      if (quoted) return at + 2;
      break;
    case ',':
      if (!quoted) break;
      return flag ? at + 1 : valueFieldEnd(text, at);
  }
  // `--token value`
  return flag && !quoted && at > end ? at : null;
}

/** `"name": "token", "value": …` */
function valueFieldEnd(text: string, at: number): number | null {
  const field = /^,\s{0,8}\\{0,3}["']value\\{0,3}["']\s{0,8}:/i.exec(text.slice(at, at + 40));
  return field === null ? null : at + field[0].length;
}

/** The value that begins at `at`. */
function valueAt(text: string, at: number, separator: number, named: Named): SecretSpan | null {
  if (text[at] === '[') return listed(text, at + 1);
  const opened = skipQuote(text, at);
  if (REFERENCE.test(text.slice(opened, opened + 24))) return null;
  if (opened > at) return unlessEmpty(opened, closing(text, at, opened));
  return bareValue(text, at, separator, named);
}

/** A value without quotes. */
function bareValue(
  text: string,
  at: number,
  separator: number,
  { start, short, flag }: Named,
): SecretSpan | null {
  const colon = isColon(text, separator);
  if (colon && HEADER.test(short)) return unlessEmpty(at, untilLineEnd(text, at));
  if (isPlain(text.slice(at, untilBlank(text, at, 48)), short, flag)) return null;
  // In 'NAME=a b c', the quotes around both delimit the value.
  if (text[separator] === '=' && isQuote(text.charCodeAt(start - 1)))
    return unlessEmpty(at, outerClosing(text, start));
  const end =
    colon && beginsLine(text, start)
      ? trimmed(text, at, untilLineEnd(text, at))
      : untilBlank(text, at, text.length, !colon);
  return unlessEmpty(at, end);
}

/** A colon that separates, and not `:=`, `::` or `://`. */
const isColon = (text: string, at: number): boolean =>
  text[at] === ':' && text[at + 1] !== ':' && text[at + 1] !== '=' && !text.startsWith('://', at);

const isBlank = (code: number): boolean => code === 32 || code === 9;
const isLineEnd = (code: number): boolean => code === 10 || code === 13;
const isQuote = (code: number): boolean => code === 34 || code === 39 || code === 96;

/** Whether a value can follow. Checks one character, so that most words cost only that. */
function mayBeFollowed(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 58 || code === 61 || code === 62 || code === 92 || isBlank(code) || isQuote(code);
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (at < start + 16 && isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** The index after a quote and the backslashes that escape it; `start` if there is no quote. */
function skipQuote(text: string, start: number): number {
  let at = start;
  while (at < start + 3 && text.charCodeAt(at) === 92) at++;
  return isQuote(text.charCodeAt(at)) ? at + 1 : start;
}

/**
 * Where the quote between `at` and `opened` is closed: at the same quote with the same escaping, or
 * at the end of the line.
 */
function closing(text: string, at: number, opened: number): number {
  const quote = text.charCodeAt(opened - 1);
  const depth = opened - 1 - at;
  let slashes = 0;
  for (let i = opened; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isLineEnd(code)) return i;
    if (code === 92) slashes++;
    else {
      if (code === quote && slashes <= depth) return i - slashes;
      slashes = 0;
    }
  }
  return text.length;
}

/** Where the quote right before `start` is closed. A doubled quote stands for one inside. */
function outerClosing(text: string, start: number): number {
  let end = closing(text, start - 1, start);
  while (end + 1 < text.length && text[end + 1] === text[start - 1])
    end = closing(text, end + 1, end + 2);
  return end;
}

/** The end of a header's value: the end of the line, or of the quotes around the header. */
function untilLineEnd(text: string, start: number): number {
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isLineEnd(code) || isQuote(code) || (code === 92 && /[nr"'`]/.test(text[i + 1] ?? '')))
      return i;
  }
  return text.length;
}

/** The end of a value without quotes. In a URL or a shell, `&` begins something else. */
function untilBlank(text: string, start: number, most: number, endsAtAnd = true): number {
  const limit = Math.min(text.length, start + most);
  let i = start;
  for (; i < limit; i++) {
    const code = text.charCodeAt(i);
    if (
      code <= 32 ||
      isQuote(code) ||
      (code === 38 && endsAtAnd) ||
      code === 59 ||
      code === 41 ||
      code === 93 ||
      code === 125
    )
      break;
    if (code === 92 && /[nrt"'`]/.test(text[i + 1] ?? '')) break;
    if (code === 44 && !/[^\s"'`]/.test(text[i + 1] ?? ' ')) break;
  }
  return i;
}

function untilTag(text: string, start: number): SecretSpan | null {
  let i = start;
  while (i < text.length && text.charCodeAt(i) !== 60 && !isLineEnd(text.charCodeAt(i))) i++;
  return i > start ? [start, i] : null;
}

function trimmed(text: string, start: number, end: number): number {
  let at = end;
  while (at > start + 1 && (isBlank(text.charCodeAt(at - 1)) || text.charCodeAt(at - 1) === 44))
    at--;
  return at;
}

/** The content of a list, if it begins with a quote. */
function listed(text: string, start: number): SecretSpan | null {
  const first = skipBlanks(text, start);
  if (skipQuote(text, first) === first) return null;
  let i = first;
  while (i < text.length && text.charCodeAt(i) !== 93 && !isLineEnd(text.charCodeAt(i))) i++;
  return [first, i];
}

/** `-u name:password`. With a number after the colon it is a user and group of the system. */
function userAndPassword(text: string, end: number): SecretSpan | null {
  if (!isBlank(text.charCodeAt(end)) && text[end] !== '=') return null;
  const at = skipBlanks(text, text[end] === '=' ? end + 1 : end);
  const opened = skipQuote(text, at);
  const stop = opened > at ? closing(text, at, opened) : untilBlank(text, at, 512);
  const value = text.slice(opened, stop);
  return /^[^\s:]+:(?!\d+$)\S+$/.test(value) && !value.includes('://') ? [opened, stop] : null;
}

const unlessEmpty = (start: number, end: number): SecretSpan | null =>
  start < end ? [start, end] : null;

/** Whether the beginning of an unquoted value shows that it is not a secret. */
function isPlain(value: string, name: string, flag: boolean): boolean {
  if (value === '' || NO_VALUE.test(value) || /^[[{(<]/.test(value)) return true;
  // A call in code: function names rarely contain digits, but secrets do.
  if (!flag && /^[A-Za-z_.]+\(/.test(value)) return true;
  return (name.endsWith('pwd') && /^[/~.]/.test(value)) || (flag && value.startsWith('-'));
}

function beginsLine(text: string, start: number): boolean {
  for (let i = start - 1; i >= start - 40; i--) {
    if (i < 0 || isLineEnd(text.charCodeAt(i))) return true;
    if (!isBlank(text.charCodeAt(i)) && text.charCodeAt(i) !== 45) return false;
  }
  return false;
}
