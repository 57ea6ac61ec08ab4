/** The words of a shell command line: quotes, escapes, variables, substitutions. */

/** The word was at least partly quoted, so it is not a keyword. */
const QUOTED = 1;
/** The word contains a variable or a substitution, so its text is not its value. */
export const DYNAMIC = 2;
/** The word contains a pattern that may match many files. */
export const GLOB = 4;

const MAX_DEPTH = 12;

/** Codes of characters that have a meaning in a shell. */
export const TAB = 9;
export const NEWLINE = 10;
export const RETURN = 13;
export const BLANK = 32;
const DOUBLE_QUOTE = 34;
export const HASH = 35;
const DOLLAR = 36;
export const AMPERSAND = 38;
const QUOTE = 39;
export const OPEN = 40;
export const CLOSE = 41;
const STAR = 42;
export const MINUS = 45;
export const SEMICOLON = 59;
export const LESS = 60;
export const EQUALS = 61;
export const GREATER = 62;
const QUESTION = 63;
const BRACKET = 91;
export const BACKSLASH = 92;
export const BACKTICK = 96;
const BRACE = 123;
export const PIPE = 124;
const BRACE_END = 125;

/** Characters without a special meaning inside a word, and those that end every word. */
const PLAIN = new Uint8Array(128);
const ENDS = 2;
for (const c of '!#%+,-./0123456789:=@ABCDEFGHIJKLMNOPQRSTUVWXYZ]^_abcdefghijklmnopqrstuvwxyz}~')
  PLAIN[c.charCodeAt(0)] = 1;
for (const c of [BLANK, TAB, NEWLINE, SEMICOLON, AMPERSAND, PIPE, CLOSE]) PLAIN[c] = ENDS;

/** A word while it is read. */
interface Word {
  /** The character that closes the list it is in. */
  until: number;
  depth: number;
  /** Its text so far, except what follows `from`. */
  out: string;
  from: number;
  mark: number;
}

export const isNameCode = (c: number): boolean =>
  (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c === 95 || (c >= 48 && c <= 57);

/** Reads the words of a line. `list` reads what is inside `$(...)`. */
export abstract class WordScanner {
  readonly text: string;
  position = 0;
  protected limit: number;
  protected mark = 0;

  constructor(text: string, limit: number) {
    this.text = text;
    this.limit = limit;
  }

  /** Reads commands up to the end, or up to the character that closes a substitution. */
  abstract list(until: number, depth: number): void;

  /** One word without its quotes. `mark` tells what it consisted of. */
  protected word(until: number, depth: number): string {
    const { text } = this;
    const word: Word = { until, depth, from: this.position, out: '', mark: 0 };
    while (this.position < this.limit) {
      const c = text.charCodeAt(this.position);
      if (c > 127 || PLAIN[c] === 1) this.position++;
      else if (PLAIN[c] === ENDS || !this.special(word, c)) break;
    }
    if (this.position > this.limit) this.position = this.limit;
    const { from, out, mark } = word;
    // A character that ends every word must still be skipped, or the list would never end.
    if (this.position === from && out === '' && mark === 0) this.position++;
    this.mark = mark;
    return from === this.position ? out : out + text.slice(from, this.position);
  }

  /** Reads what a character with a special meaning begins. False if the word ends before it. */
  private special(word: Word, c: number): boolean {
    switch (c) {
      case QUOTE:
        this.singleQuoted(word);
        return true;
      case DOUBLE_QUOTE:
        word.out += this.text.slice(word.from, this.position);
        word.out += this.doubleQuoted(word.until, word.depth);
        word.mark |= QUOTED | this.mark;
        word.from = this.position;
        return true;
      case BACKSLASH:
        this.escaped(word);
        return true;
      case DOLLAR:
        if (this.dollar(word.until, word.depth)) word.mark |= DYNAMIC;
        return true;
      case BACKTICK:
        return word.until !== BACKTICK && this.substitution(word, BACKTICK, 1);
      case LESS:
      case GREATER:
        return this.opensProcess(word) && this.substitution(word, CLOSE, 2);
      case OPEN:
        return this.array(word);
      default:
        if (this.isPattern(word, c)) word.mark |= GLOB;
        this.position++;
        return true;
    }
  }

  private singleQuoted(word: Word): void {
    const { text } = this;
    word.out += text.slice(word.from, this.position);
    const found = text.indexOf("'", this.position + 1);
    const end = found < 0 || found > this.limit ? this.limit : found;
    word.out += text.slice(this.position + 1, end);
    word.from = this.position = Math.min(end + 1, this.limit);
    word.mark |= QUOTED;
  }

  private escaped(word: Word): void {
    const next = this.text.charCodeAt(this.position + 1);
    // Nobody escapes a letter, so this is a Windows path.
    if (isNameCode(next)) {
      this.position += 2;
      return;
    }
    word.out += this.text.slice(word.from, this.position);
    this.position += 2;
    word.from = next === NEWLINE ? this.position : this.position - 1;
    word.mark |= QUOTED;
  }

  /** Reads the commands of a substitution that begins with `length` characters. */
  private substitution(word: Word, until: number, length: number): boolean {
    if (word.depth >= MAX_DEPTH) return false;
    this.position += length;
    this.list(until, word.depth + 1);
    word.mark |= DYNAMIC;
    return true;
  }

  /** `<(...)` and `>(...)`, which only begin a word. */
  private opensProcess({ from, out }: Word): boolean {
    return this.position === from && out === '' && this.text.charCodeAt(this.position + 1) === OPEN;
  }

  /** `name=(a b)`. */
  private array(word: Word): boolean {
    if (this.text.charCodeAt(this.position - 1) !== EQUALS) return false;
    this.position = this.past(')');
    word.mark |= DYNAMIC;
    return true;
  }

  private isPattern({ from }: Word, c: number): boolean {
    if (c === STAR || c === QUESTION || c === BRACKET) return true;
    return (
      c === BRACE && this.text.charCodeAt(this.position + 1) !== BRACE_END && this.position > from
    );
  }

  private doubleQuoted(until: number, depth: number): string {
    const text = this.text;
    let out = '';
    let from = ++this.position;
    let mark = 0;
    while (this.position < this.limit) {
      const c = text.charCodeAt(this.position);
      if (c === DOUBLE_QUOTE) {
        out += text.slice(from, this.position);
        this.position++;
        this.mark = mark;
        return out;
      }
      if (c === BACKSLASH) {
        const next = text.charCodeAt(this.position + 1);
        if (next === DOUBLE_QUOTE || next === BACKSLASH || next === DOLLAR || next === BACKTICK) {
          out += text.slice(from, this.position);
          from = this.position + 1;
        }
        this.position += 2;
      } else if (c === DOLLAR) {
        if (this.dollar(until, depth)) mark |= DYNAMIC;
      } else if (c === BACKTICK && until !== BACKTICK && depth < MAX_DEPTH) {
        this.position++;
        this.list(BACKTICK, depth + 1);
        mark |= DYNAMIC;
      } else this.position++;
    }
    this.position = this.limit;
    this.mark = mark;
    return out + text.slice(from, this.limit);
  }

  /** Skips what a dollar sign begins. True if the text is not the value. */
  private dollar(until: number, depth: number): boolean {
    const text = this.text;
    const next = text.charCodeAt(this.position + 1);
    if (next === OPEN && depth < MAX_DEPTH) {
      if (text.charCodeAt(this.position + 2) === OPEN) {
        this.position++;
        this.arithmetic();
      } else {
        this.position += 2;
        this.list(CLOSE, depth + 1);
      }
      return true;
    }
    if (next === BRACE) {
      this.position = this.past('}');
      return true;
    }
    this.position++;
    if (next === QUOTE || next === DOUBLE_QUOTE || (next === BACKTICK && until === BACKTICK))
      return false;
    return (
      isNameCode(next) ||
      next === QUESTION ||
      next === HASH ||
      next === STAR ||
      next === 64 ||
      next === 33 ||
      next === DOLLAR
    );
  }

  protected arithmetic(): void {
    const end = this.text.indexOf('))', this.position);
    this.position = end < 0 || end + 2 > this.limit ? this.limit : end + 2;
  }

  private past(closing: string): number {
    const end = this.text.indexOf(closing, this.position);
    return end < 0 || end + 1 > this.limit ? this.limit : end + 1;
  }
}
