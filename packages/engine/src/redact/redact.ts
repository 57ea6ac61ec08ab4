import { maskByPlace, namesProgram, SECRET } from './secret-place.ts';
import { maskInProse } from './secret-prose.ts';
import { isRandom, knownTokenAt } from './secret-shape.ts';
import { valueAfter } from './secret-value.ts';

/** Longer texts are first cut to their head and tail. */
const LIMIT = 65_536;
/**
 * What is kept of a longer text. No mask is three times as long as what it covers, so masking
 * cannot push the text over the limit again.
 */
const KEPT = 20_000;

/**
 * Masks what nobody may read in a label, a note or a log: keys, tokens, passwords, cookies and
 * credentials, also in commands. Pure, linear and idempotent.
 */
export function redact(text: string): string {
  let masked = cut(text);
  const hasProgram = namesProgram(masked);
  if (!hasProgram && !isSuspicious(masked)) return masked;
  // Masking one secret can reveal another next to it. Two rounds are usual; eight were never
  // needed.
  for (let round = 0; round < 8; round++) {
    const once = maskInProse(maskOnce(masked));
    const next = cut(hasProgram ? maskByPlace(once) : once);
    if (next === masked) break;
    masked = next;
  }
  return masked;
}

/** The placeholder for a value that a user typed. */
export const maskValue = (value: string): string => `<value:${value.length} chars>`;

const cut = (text: string): string =>
  text.length <= LIMIT ? text : `${text.slice(0, KEPT / 2)}\n…\n${text.slice(-KEPT / 2)}`;

const WORD = 1;
const JOINT = 2;
const TELLING = 4;
const HINTS = 'kKpPuUzZcCbB@&?';
/**
 * What each ASCII character can be: part of a word, a joint of longer tokens, a hint that `hinted`
 * checks.
 */
const KIND = new Uint8Array(128);
for (const c of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789') KIND[c.charCodeAt(0)] = WORD | TELLING;
for (const c of 'abcdefghijklmnopqrstuvwxyz_-') KIND[c.charCodeAt(0)] = WORD;
for (const c of '+/') KIND[c.charCodeAt(0)] = JOINT;
const HINT = 8;
for (const c of HINTS) KIND[c.charCodeAt(0)]! |= HINT;

/** One bit for each lower-case letter that is not a hint. */
const PLAIN_LETTERS = KIND.slice(97, 123).reduce(
  (bits, kind, letter) => (kind === WORD ? bits | (1 << letter) : bits),
  0,
);

/** The shortest known token, and the shortest random run. */
const SHORTEST_TOKEN = 15;
const SHORTEST_RUN = 24;

/** One cheap pass over all characters. Most labels need no more. */
function isSuspicious(text: string): boolean {
  let run = 0;
  let word = 0;
  let telling = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // Three in four characters end here, and bit arithmetic is faster than the table.
    if (code >= 97 && code <= 122 && (PLAIN_LETTERS >>> (code - 97)) & 1) continue;
    const kind = code < 128 ? KIND[code]! : 0;
    if (kind === WORD) continue;
    if ((kind & HINT) !== 0 && hinted(text, i, code)) return true;
    if ((kind & TELLING) !== 0) telling = true;
    if ((kind & WORD) !== 0) continue;
    if (telling && isLong(i - word, i - run)) return true;
    word = i + 1;
    if (kind === JOINT) continue;
    run = i + 1;
    telling = false;
  }
  return telling && isLong(text.length - word, text.length - run);
}

/** Whether a word, or the run that it is in, is long enough for a secret. */
const isLong = (word: number, run: number): boolean =>
  word >= SHORTEST_TOKEN || run >= SHORTEST_RUN;

/** Whether the characters from `i` on are `letters`, in any case. */
function spells(text: string, i: number, letters: string): boolean {
  for (let k = 0; k < letters.length; k++)
    if ((text.charCodeAt(i + k) | 32) !== letters.charCodeAt(k)) return false;
  return true;
}

/**
 * Checks the surroundings of a letter that is rare outside these words: key, token, cookie, pass,
 * pwd, secret, auth, bearer, basic, credential.
 */
function hinted(text: string, i: number, code: number): boolean {
  switch (code | 32) {
    case 107:
      return inKeyOrToken(text, i);
    case 112: // p: pass, pwd
      return spells(text, i + 1, 'as') || spells(text, i + 1, 'wd');
    case 117: // u: auth, and the flags -u and --user
      return spells(text, i - 1, 'aut') || text.charCodeAt(i - 1) === 45;
    case 122: // z: authorization, x-amz
      return spells(text, i - 1, 'iza') || spells(text, i - 2, 'am');
    case 99: // c: secret, passcode, credential
      return spells(text, i - 2, 'se') || spells(text, i + 1, 're');
    case 98:
      return beginsScheme(text, i);
    case 38: // & and ?: the signature in a URL
    case 63:
      return text.startsWith('sig=', i + 1);
    default: // @
      return text.slice(Math.max(0, i - 515), i).includes(':/');
  }
}

/** The k of key, token and cookie. */
const inKeyOrToken = (text: string, i: number): boolean =>
  spells(text, i + 1, 'ey') || (spells(text, i - 1, 'o') && (text.charCodeAt(i + 1) | 32) !== 32);

/** The b of bearer, basic and -----BEGIN. */
const beginsScheme = (text: string, i: number): boolean =>
  spells(text, i + 1, 'ea') || spells(text, i + 1, 'eg') || spells(text, i + 1, 'as');

/** A text while its secrets are masked. */
interface Masking {
  text: string;
  /** What has been masked and copied, up to `copied`. */
  out: string;
  copied: number;
}

function mask(masking: Masking, start: number, end: number): void {
  masking.out += masking.text.slice(masking.copied, start) + SECRET;
  masking.copied = end;
}

/** One pass from left to right. Each character is examined a bounded number of times. */
function maskOnce(text: string): string {
  const masking: Masking = { text, out: '', copied: 0 };
  let i = 0;
  let end = 0;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    if (code >= 128 || (KIND[code]! & (WORD | JOINT)) === 0) i = maskAtSign(masking, i, code);
    else {
      if (end <= i) end = runEnd(text, i);
      i = maskInRun(masking, i, end);
    }
  }
  return masking.copied === 0 ? text : masking.out + text.slice(masking.copied);
}

/** Skips a mask, or masks the credentials of a URL. Returns where to continue. */
function maskAtSign(masking: Masking, i: number, code: number): number {
  const { text } = masking;
  if (code === 60 && text.startsWith(SECRET, i)) return i + SECRET.length;
  if (code !== 58 || !text.startsWith(':/', i)) return i + 1;
  // A URL that was treated as a path has only one slash left.
  const user = text.startsWith('://', i) ? i + 3 : i + 2;
  const host = credentialsEnd(text, user);
  if (host === 0) return user;
  mask(masking, user, host);
  return host;
}

/** Masks the first secret in the run from `i` to `end`, or after it. Returns where to continue. */
function maskInRun(masking: Masking, i: number, end: number): number {
  const { text } = masking;
  const pem =
    end - i >= 10 && text.charCodeAt(end) === 32 && text.startsWith('-----BEGIN', end - 10);
  const run = text.slice(i, pem ? end - 10 : end);
  const token = tokenIn(text, i, run);
  if (token !== null) {
    if (isRandom(text.slice(i, token[0]))) mask(masking, i, token[0]);
    mask(masking, token[0], token[1]);
    return token[1];
  }
  const found =
    isRandom(run) && !isDigest(text, i, run)
      ? ([i, i + run.length] as const)
      : pem
        ? ([end - 10, pemEnd(text, end)] as const)
        : (valueAfter(text, wordStart(text, i, end), end) ?? schemeValue(text, i, end));
  if (found === null) return end;
  mask(masking, found[0], found[1]);
  return found[1];
}

function runEnd(text: string, start: number): number {
  let i = start;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 128 || (KIND[code]! & (WORD | JOINT)) === 0) break;
  }
  return i;
}

/** Start of the last word in a run. A separator after the run belongs to that word. */
function wordStart(text: string, start: number, end: number): number {
  let i = end;
  while (i > start && (KIND[text.charCodeAt(i - 1)]! & WORD) !== 0) i--;
  return i;
}

/** The word that contains a known token, or a JSON web token with all its parts. */
function tokenIn(text: string, start: number, run: string): [number, number] | null {
  if (run.length < 8) return null;
  const known = run.length < SHORTEST_TOKEN ? -1 : knownTokenAt(run);
  const web = run.indexOf('eyJ');
  const found = known === -1 ? (web === -1 || run.length - web < 8 ? -1 : web) : known;
  if (found === -1) return null;
  let end = start + found;
  while (end < start + run.length && (KIND[text.charCodeAt(end)]! & WORD) !== 0) end++;
  if (known === -1) {
    if (text.charCodeAt(end) !== 46) return null;
    for (let part = 0; part < 4 && text.charCodeAt(end) === 46; part++) {
      const next = runEnd(text, end + 1);
      if (next === end + 1) break;
      end = next;
    }
  }
  return [wordStart(text, start, start + found), end];
}

/** After `sha256:` and the like, hexadecimal digits are not a secret. */
const isDigest = (text: string, start: number, run: string): boolean =>
  run.length >= 32 &&
  /^[0-9a-f]+$/.test(run) &&
  /(?:sha(?:1|256|384|512)|md5|digest)[:=]$/i.test(text.slice(Math.max(0, start - 8), start));

/** Characters that end the part of a URL with the credentials, as does any blank: / ? # " ' < > */
const ENDS_HOST: ReadonlySet<number> = new Set([47, 63, 35, 34, 39, 60, 62]);

/** Where `name:password` ends in a URL, or 0. */
function credentialsEnd(text: string, start: number): number {
  let end = 0;
  for (let i = start; i < Math.min(text.length, start + 512); i++) {
    const code = text.charCodeAt(i);
    if (code <= 32 || ENDS_HOST.has(code)) break;
    if (code === 64) end = i;
  }
  if (end <= start) return 0;
  const user = text.slice(start, end);
  const colon = user.indexOf(':');
  return (colon >= 0 && colon < user.length - 1) || (user.length >= 8 && /\d/.test(user)) ? end : 0;
}

/**
 * The index after the block's final dashes; without them, after everything that could be its
 * content.
 */
function pemEnd(text: string, start: number): number {
  let i = start;
  for (; i < text.length; i++) {
    if (!/[\w\s+/=\\:,-]/.test(text[i]!)) break;
    if (text.startsWith('-----END ', i)) {
      const close = text.slice(i + 9, i + 80).indexOf('-----');
      return close === -1 ? i + 9 : i + 14 + close;
    }
  }
  return i;
}

const SCHEME_WORDS =
  /^(?:tokens?|auth|authentication|authorization|scheme|header|headers|format|prefix|is|of|and|or|the|was|to|in|for|with)$/i;

/** The value after `Bearer` or `Basic`, unless it reads like prose. */
function schemeValue(text: string, start: number, end: number): [number, number] | null {
  const length = end - start;
  if ((length !== 6 && length !== 5) || text.charCodeAt(end) !== 32) return null;
  const scheme = text.slice(start, end).toLowerCase();
  if (scheme !== 'bearer' && scheme !== 'basic') return null;
  let from = end;
  while (text.charCodeAt(from) === 32) from++;
  let to = from;
  while (to < text.length && /[\w.~+/=-]/.test(text[to]!)) to++;
  const value = text.slice(from, to).replace(/\.+$/, '');
  if (value === '' || SCHEME_WORDS.test(value)) return null;
  // `Basic` is also an English word, so the value counts only if it cannot be one.
  if (scheme === 'basic' && !/\d|=|.[A-Z]/.test(value) && /[aeiou]/i.test(value)) return null;
  return [from, from + value.length];
}
