/** A shell command line, cut into simple commands. Total: any text gives an answer. */

/** The word was quoted, in part at least: it is no keyword. */
export const QUOTED = 1;
/** The word holds a variable or a substitution: its text is not its value. */
export const DYNAMIC = 2;
/** The word holds a pattern that may stand for many files. */
export const GLOB = 4;

/** What stands between a command and the one before it. */
export type Joint = '' | ';' | '&&' | '||' | '|' | '&';

/** One program with its words, as it would be started. */
export interface Command {
  words: string[];
  /** Per word: QUOTED, DYNAMIC and GLOB. */
  marks: number[];
  /** `NAME=value` before the program. */
  assignments: string[];
  joint: Joint;
  /** `if`, `while` or `until` before it, `for` and `case` for the head of such a block. */
  lead: string;
  /** Files that its output is sent to, the null device and stderr aside. */
  writes: string[];
  append: boolean;
  /** A redirection whose file is not known from the text. */
  dynamicWrite: boolean;
  reads: string[];
  /** The text of a here-document or here-string. */
  body: string | null;
  /** 0 for the line itself, more inside `$(...)`. */
  depth: number;
}

export interface Parsed {
  commands: Command[];
  /** Where parsing stopped: the rest was too long to be looked at. */
  end: number;
}

/** Longer lines are data, not work; here-documents do not count. */
const MOST_CHARACTERS = 8192;
const MOST_DEPTH = 12;

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const DOUBLE_QUOTE = 34;
const HASH = 35;
const DOLLAR = 36;
const AMPERSAND = 38;
const QUOTE = 39;
const OPEN = 40;
const CLOSE = 41;
const STAR = 42;
const MINUS = 45;
const SEMICOLON = 59;
const LESS = 60;
const EQUALS = 61;
const GREATER = 62;
const QUESTION = 63;
const BRACKET = 91;
const BACKSLASH = 92;
const BACKTICK = 96;
const BRACE = 123;
const PIPE = 124;
const BRACE_END = 125;

const LEADS = new Set(['if', 'elif', 'while', 'until']);
const HEADS = new Set(['for', 'select', 'case', 'function']);
const FILLERS = new Set(['then', 'do', 'else', 'fi', 'done', 'esac', '{', '}', '!']);

/** Characters that mean nothing but themselves inside a word. */
const PLAIN = new Uint8Array(128);
for (const c of '!#%+,-./0123456789:=@ABCDEFGHIJKLMNOPQRSTUVWXYZ]^_abcdefghijklmnopqrstuvwxyz}~') PLAIN[c.charCodeAt(0)] = 1;

const isNameCode = (c: number): boolean => (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c === 95 || (c >= 48 && c <= 57);

export function parseShell(text: string): Parsed {
  const scanner = new Scanner(text);
  scanner.list(0, 0);
  return { commands: scanner.commands, end: Math.min(scanner.position, text.length) };
}

interface Heredoc {
  command: Command;
  delimiter: string;
  indented: boolean;
}

class Scanner {
  readonly text: string;
  readonly commands: Command[] = [];
  position = 0;
  private limit: number;
  private mark = 0;

  constructor(text: string) {
    this.text = text;
    this.limit = Math.min(text.length, MOST_CHARACTERS);
  }

  /** Commands up to the end, or up to the character that closes a substitution. */
  list(until: number, depth: number): void {
    const text = this.text;
    const heredocs: Heredoc[] = [];
    let joint: Joint = '';
    let parentheses = 0;
    let command: Command | null = null;
    const open = (): Command => {
      command ??= newCommand(joint, depth);
      return command;
    };
    const close = (next: Joint): void => {
      const done = command;
      if (done !== null && (done.words.length > 0 || done.assignments.length > 0 || done.writes.length > 0 || done.dynamicWrite)) {
        this.commands.push(done);
        joint = next;
      } else if (next !== ';') joint = next;
      command = null;
    };
    while (this.position < this.limit) {
      const c = text.charCodeAt(this.position);
      const inTest: boolean = command !== null && isOpenTest(command);
      if (c === SPACE || c === TAB || c === RETURN) this.position++;
      else if (c === NEWLINE) {
        close(';');
        this.position++;
        if (heredocs.length > 0) this.bodies(heredocs.splice(0));
      } else if (c === HASH) {
        const end = text.indexOf('\n', this.position);
        this.position = end < 0 ? this.limit : end;
      } else if (inTest && (c === AMPERSAND || c === PIPE || c === LESS || c === GREATER || c === OPEN || c === CLOSE)) {
        this.add(open(), text[this.position++]!);
      } else if (c === SEMICOLON) {
        close(';');
        this.position++;
      } else if (c === AMPERSAND) {
        const next = text.charCodeAt(this.position + 1);
        if (next === GREATER) {
          this.position++;
          this.redirection(open(), heredocs, 1, depth);
        } else {
          close(next === AMPERSAND ? '&&' : '&');
          this.position += next === AMPERSAND ? 2 : 1;
        }
      } else if (c === PIPE) {
        const next = text.charCodeAt(this.position + 1);
        close(next === PIPE ? '||' : '|');
        this.position += next === PIPE || next === AMPERSAND ? 2 : 1;
      } else if (c === OPEN) {
        if (text.charCodeAt(this.position + 1) === OPEN) this.arithmetic();
        else {
          this.position++;
          parentheses++;
        }
      } else if (c === CLOSE) {
        this.position++;
        close(';');
        if (until === CLOSE && parentheses === 0) return;
        if (parentheses > 0) parentheses--;
      } else if (c === BACKTICK && until === BACKTICK) {
        this.position++;
        close(';');
        return;
      } else if ((c === LESS || c === GREATER) && text.charCodeAt(this.position + 1) !== OPEN) {
        this.redirection(open(), heredocs, c === GREATER ? 1 : 0, depth);
      } else {
        const word = this.word(until, depth);
        const after = text.charCodeAt(this.position);
        if ((after === LESS || after === GREATER) && word.length === 1 && word >= '0' && word <= '9') {
          this.redirection(open(), heredocs, Number(word), depth);
        } else this.add(open(), word);
      }
    }
    close(';');
  }

  private add(command: Command, word: string): void {
    if (command.words.length === 0 && command.lead !== 'for') {
      if (this.mark === 0 && command.assignments.length === 0) {
        if (LEADS.has(word)) {
          command.lead = word;
          return;
        }
        if (FILLERS.has(word)) return;
        if (HEADS.has(word)) command.lead = 'for';
      }
      if (isAssignment(word)) {
        command.assignments.push(word);
        return;
      }
    }
    command.words.push(word);
    command.marks.push(this.mark);
  }

  /** One word, its quotes taken off; `mark` says what it was made of. */
  private word(until: number, depth: number): string {
    const text = this.text;
    let out = '';
    let from = this.position;
    this.mark = 0;
    let mark = 0;
    while (this.position < this.limit) {
      const c = text.charCodeAt(this.position);
      if (PLAIN[c] === 1 || c > 127) this.position++;
      else if (c === SPACE || c === TAB || c === NEWLINE || c === SEMICOLON || c === AMPERSAND || c === PIPE || c === CLOSE) break;
      else if (c === QUOTE) {
        out += text.slice(from, this.position);
        const found = text.indexOf("'", this.position + 1);
        const end = found < 0 || found > this.limit ? this.limit : found;
        out += text.slice(this.position + 1, end);
        from = this.position = Math.min(end + 1, this.limit);
        mark |= QUOTED;
      } else if (c === DOUBLE_QUOTE) {
        out += text.slice(from, this.position);
        this.mark = 0;
        out += this.doubleQuoted(until, depth);
        mark |= QUOTED | this.mark;
        from = this.position;
      } else if (c === BACKSLASH) {
        const next = text.charCodeAt(this.position + 1);
        // Nobody escapes a letter: this is a Windows path.
        if (isNameCode(next)) this.position += 2;
        else {
          out += text.slice(from, this.position);
          this.position += 2;
          from = next === NEWLINE ? this.position : this.position - 1;
          mark |= QUOTED;
        }
      } else if (c === DOLLAR) {
        if (this.dollar(until, depth)) mark |= DYNAMIC;
      } else if (c === BACKTICK) {
        if (until === BACKTICK || depth >= MOST_DEPTH) break;
        this.position++;
        this.list(BACKTICK, depth + 1);
        mark |= DYNAMIC;
      } else if (c === LESS || c === GREATER) {
        if (this.position !== from || out !== '' || text.charCodeAt(this.position + 1) !== OPEN || depth >= MOST_DEPTH) break;
        this.position += 2;
        this.list(CLOSE, depth + 1);
        mark |= DYNAMIC;
      } else if (c === OPEN) {
        if (text.charCodeAt(this.position - 1) !== EQUALS) break;
        this.position = this.past(')');
        mark |= DYNAMIC;
      } else {
        if (c === STAR || c === QUESTION || c === BRACKET) mark |= GLOB;
        else if (c === BRACE && text.charCodeAt(this.position + 1) !== BRACE_END && this.position > from) mark |= GLOB;
        this.position++;
      }
    }
    if (this.position > this.limit) this.position = this.limit;
    // A character that ends every word must still be passed, or the list would never end.
    if (this.position === from && out === '' && mark === 0) this.position++;
    this.mark = mark;
    return from === this.position ? out : out + text.slice(from, this.position);
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
      } else if (c === BACKTICK && until !== BACKTICK && depth < MOST_DEPTH) {
        this.position++;
        this.list(BACKTICK, depth + 1);
        mark |= DYNAMIC;
      } else this.position++;
    }
    this.position = this.limit;
    this.mark = mark;
    return out + text.slice(from, this.limit);
  }

  /** Passes what a dollar sign begins. True when the text is not the value. */
  private dollar(until: number, depth: number): boolean {
    const text = this.text;
    const next = text.charCodeAt(this.position + 1);
    if (next === OPEN && depth < MOST_DEPTH) {
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
    if (next === QUOTE || next === DOUBLE_QUOTE || (next === BACKTICK && until === BACKTICK)) return false;
    return isNameCode(next) || next === QUESTION || next === HASH || next === STAR || next === 64 || next === 33 || next === DOLLAR;
  }

  private arithmetic(): void {
    const end = this.text.indexOf('))', this.position);
    this.position = end < 0 || end + 2 > this.limit ? this.limit : end + 2;
  }

  private past(closing: string): number {
    const end = this.text.indexOf(closing, this.position);
    return end < 0 || end + 1 > this.limit ? this.limit : end + 1;
  }

  /** At `<` or `>`; `descriptor` is the stream that it redirects. */
  private redirection(command: Command, heredocs: Heredoc[], descriptor: number, depth: number): void {
    const text = this.text;
    const out = text.charCodeAt(this.position) === GREATER;
    const from = this.position;
    while (this.position < this.limit) {
      const c = text.charCodeAt(this.position);
      if (c !== LESS && c !== GREATER && c !== AMPERSAND && !(c === PIPE && out) && !(c === MINUS && !out && this.position - from === 2)) break;
      this.position++;
    }
    const operator = text.slice(from, this.position);
    while (text.charCodeAt(this.position) === SPACE && this.position < this.limit) this.position++;
    if (this.position >= this.limit || text.charCodeAt(this.position) === NEWLINE) return;
    const word = this.word(0, depth);
    if (operator.startsWith('<<<')) command.body = word;
    else if (operator.startsWith('<<')) heredocs.push({ command, delimiter: word, indented: operator === '<<-' });
    else if (!out) command.reads.push(word);
    else if (descriptor === 2 || word.startsWith('/dev/') || word === 'NUL' || word === '$null') return;
    else if (operator.endsWith('&') && (word === '-' || (word.length === 1 && word >= '0' && word <= '9'))) return;
    else {
      if ((this.mark & (DYNAMIC | GLOB)) !== 0) command.dynamicWrite = true;
      else command.writes.push(word);
      command.append = operator.startsWith('>>');
    }
  }

  /** The here-documents that begin on the line above. */
  private bodies(heredocs: Heredoc[]): void {
    const text = this.text;
    for (const { command, delimiter, indented } of heredocs) {
      const start = this.position;
      let line = start;
      let end = text.length;
      let next = text.length;
      while (line < text.length) {
        const found = text.indexOf('\n', line);
        const stop = found < 0 ? text.length : found;
        let first = line;
        if (indented) while (text.charCodeAt(first) === TAB || text.charCodeAt(first) === SPACE) first++;
        const length = stop - first - (text.charCodeAt(stop - 1) === RETURN && stop > first ? 1 : 0);
        if (length === delimiter.length && text.startsWith(delimiter, first)) {
          end = line;
          next = stop;
          break;
        }
        line = stop + 1;
      }
      command.body = text.slice(start, end);
      this.limit = Math.min(text.length, this.limit + (next - start));
      this.position = Math.min(next + 1, text.length);
    }
  }
}

function newCommand(joint: Joint, depth: number): Command {
  return {
    words: [],
    marks: [],
    assignments: [],
    joint,
    lead: '',
    writes: [],
    append: false,
    dynamicWrite: false,
    reads: [],
    body: null,
    depth,
  };
}

const isOpenTest = (command: Command): boolean => command.words[0] === '[[' && command.words.at(-1) !== ']]';

function isAssignment(word: string): boolean {
  const first = word.charCodeAt(0);
  if (!isNameCode(first) || (first >= 48 && first <= 57)) return false;
  for (let i = 1; i < word.length; i++) {
    const c = word.charCodeAt(i);
    if (c === EQUALS) return true;
    if (!isNameCode(c)) return false;
  }
  return false;
}
