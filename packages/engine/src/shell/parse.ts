/** Splits a shell command line into simple commands. Any text gives a result. */

import {
  AMPERSAND,
  BACKSLASH,
  BACKTICK,
  BLANK,
  CLOSE,
  DYNAMIC,
  EQUALS,
  GLOB,
  GREATER,
  HASH,
  isNameCode,
  LESS,
  MINUS,
  NEWLINE,
  OPEN,
  PIPE,
  RETURN,
  SEMICOLON,
  TAB,
  WordScanner,
} from './word.ts';

/** The operator between a command and the previous one. */
export type Joint = '' | ';' | '&&' | '||' | '|' | '&';

/** One program with its words, as it would be started. */
export interface Command {
  words: string[];
  /** For each word: QUOTED, DYNAMIC and GLOB. */
  marks: number[];
  /** `NAME=value` before the program. */
  assignments: string[];
  joint: Joint;
  /** `if`, `elif`, `while` or `until` before it; `for` for the head of any other block. */
  lead: string;
  /** Files that its output is redirected to, except the null device and stderr. */
  writes: string[];
  append: boolean;
  /** It redirects its output to a file whose name the text does not tell. */
  dynamicWrite: boolean;
  reads: string[];
  /** The text of a here-document or here-string. */
  body: string | null;
  /** 0 for the line itself, higher inside `$(...)`. */
  depth: number;
  /** `&` follows it, so the line does not wait for it. */
  background: boolean;
}

export interface Parsed {
  commands: Command[];
  /** Where parsing stopped, because the rest is too long. */
  end: number;
}

/** Longer lines are data, not work. Here-documents do not count. */
const MAX_CHARACTERS = 8192;

const LEADS = new Set(['if', 'elif', 'while', 'until']);
const HEADS = new Set(['for', 'select', 'case', 'function']);
const FILLERS = new Set(['then', 'do', 'else', 'fi', 'done', 'esac', '{', '}', '!']);

export function parseShell(text: string): Parsed {
  const scanner = new Scanner(text, Math.min(text.length, MAX_CHARACTERS));
  scanner.list(0, 0);
  return { commands: scanner.commands, end: Math.min(scanner.position, text.length) };
}

interface Heredoc {
  command: Command;
  delimiter: string;
  indented: boolean;
}

class Scanner extends WordScanner {
  readonly commands: Command[] = [];

  /** Reads commands up to the end, or up to the character that closes a substitution. */
  override list(until: number, depth: number): void {
    const text = this.text;
    const heredocs: Heredoc[] = [];
    let parentheses = 0;
    let command = newCommand('', depth);
    while (this.position < this.limit) {
      const c = text.charCodeAt(this.position);
      const inTest = isOpenTest(command);
      if (c === BLANK || c === TAB || c === RETURN) this.position++;
      else if (c === BACKSLASH && text.charCodeAt(this.position + 1) === NEWLINE)
        this.position += 2;
      else if (c === NEWLINE) {
        command = this.close(command, ';');
        this.position++;
        if (heredocs.length > 0) this.bodies(heredocs.splice(0));
      } else if (c === HASH) {
        const end = text.indexOf('\n', this.position);
        this.position = end < 0 ? this.limit : end;
      } else if (
        inTest &&
        (c === AMPERSAND || c === PIPE || c === LESS || c === GREATER || c === OPEN || c === CLOSE)
      ) {
        this.add(command, text[this.position++]!);
      } else if (c === SEMICOLON) {
        command = this.close(command, ';');
        this.position++;
      } else if (c === AMPERSAND) {
        const next = text.charCodeAt(this.position + 1);
        if (next === GREATER) {
          this.position++;
          this.redirection(command, heredocs, 1, depth);
        } else {
          command = this.close(command, next === AMPERSAND ? '&&' : '&');
          this.position += next === AMPERSAND ? 2 : 1;
        }
      } else if (c === PIPE) {
        const next = text.charCodeAt(this.position + 1);
        command = this.close(command, next === PIPE ? '||' : '|');
        this.position += next === PIPE || next === AMPERSAND ? 2 : 1;
      } else if (c === OPEN) {
        if (text.charCodeAt(this.position + 1) === OPEN) this.arithmetic();
        else {
          this.position++;
          parentheses++;
        }
      } else if (c === CLOSE) {
        this.position++;
        command = this.close(command, ';');
        if (until === CLOSE && parentheses === 0) return;
        if (parentheses > 0) parentheses--;
      } else if (c === BACKTICK && until === BACKTICK) {
        this.position++;
        this.close(command, ';');
        return;
      } else if ((c === LESS || c === GREATER) && text.charCodeAt(this.position + 1) !== OPEN) {
        this.redirection(command, heredocs, c === GREATER ? 1 : 0, depth);
      } else {
        const word = this.word(until, depth);
        const after = text.charCodeAt(this.position);
        if (
          (after === LESS || after === GREATER) &&
          word.length === 1 &&
          word >= '0' &&
          word <= '9'
        ) {
          this.redirection(command, heredocs, Number(word), depth);
        } else this.add(command, word);
      }
    }
    this.close(command, ';');
  }

  /** Ends a command and returns the next one to fill. */
  private close(command: Command, next: Joint): Command {
    if (
      command.words.length + command.assignments.length + command.writes.length > 0 ||
      command.dynamicWrite
    ) {
      this.commands.push(command);
      command.background = next === '&';
      return newCommand(next, command.depth);
    }
    if (next !== ';') command.joint = next;
    // `(a; b) &`
    const before = next === '&' ? this.commands.at(-1) : undefined;
    if (before) before.background = true;
    return command;
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

  /** Called at `<` or `>`. `descriptor` is the stream that is redirected. */
  private redirection(
    command: Command,
    heredocs: Heredoc[],
    descriptor: number,
    depth: number,
  ): void {
    const text = this.text;
    const out = text.charCodeAt(this.position) === GREATER;
    const from = this.position;
    while (this.position < this.limit) {
      const c = text.charCodeAt(this.position);
      if (
        c !== LESS &&
        c !== GREATER &&
        c !== AMPERSAND &&
        !(c === PIPE && out) &&
        !(c === MINUS && !out && this.position - from === 2)
      )
        break;
      this.position++;
    }
    const operator = text.slice(from, this.position);
    while (text.charCodeAt(this.position) === BLANK && this.position < this.limit) this.position++;
    if (this.position >= this.limit || text.charCodeAt(this.position) === NEWLINE) return;
    const word = this.word(0, depth);
    if (operator.startsWith('<<<')) command.body = word;
    else if (operator.startsWith('<<'))
      heredocs.push({ command, delimiter: word, indented: operator === '<<-' });
    else if (!out) command.reads.push(word);
    else if (descriptor === 2 || word.startsWith('/dev/') || word === 'NUL' || word === '$null')
      return;
    else if (
      operator.endsWith('&') &&
      (word === '-' || (word.length === 1 && word >= '0' && word <= '9'))
    )
      return;
    else {
      if ((this.mark & (DYNAMIC | GLOB)) !== 0) command.dynamicWrite = true;
      else command.writes.push(word);
      command.append = operator.startsWith('>>');
    }
  }

  /** Reads the here-documents that the line above begins. */
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
        if (indented)
          while (text.charCodeAt(first) === TAB || text.charCodeAt(first) === BLANK) first++;
        const length =
          stop - first - (text.charCodeAt(stop - 1) === RETURN && stop > first ? 1 : 0);
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
    background: false,
  };
}

const isOpenTest = (command: Command): boolean =>
  command.words[0] === '[[' && command.words.at(-1) !== ']]';

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
