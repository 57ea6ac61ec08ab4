/** Splits a shell command line into simple commands. Any text gives a result. */

import { type Command, type Joint, newCommand } from './command.ts';
import { heredocEnd } from './heredoc.ts';
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

/** A list of commands while it is read: a whole line, or what is inside `$(...)`. */
interface List {
  /** The character that closes it; 0 for the line itself. */
  until: number;
  depth: number;
  /** Those whose text begins on the next line. */
  heredocs: Heredoc[];
  /** How many are open. */
  parentheses: number;
  /** The command that the next word belongs to. */
  command: Command;
}

/** Operators that are plain words inside `[[ ... ]]`. */
const IN_TESTS: ReadonlySet<number> = new Set([AMPERSAND, PIPE, LESS, GREATER, OPEN, CLOSE]);

class Scanner extends WordScanner {
  readonly commands: Command[] = [];

  /** Reads commands up to the end, or up to the character that closes a substitution. */
  override list(until: number, depth: number): void {
    const list: List = {
      until,
      depth,
      heredocs: [],
      parentheses: 0,
      command: newCommand('', depth),
    };
    let closed = false;
    while (!closed && this.position < this.limit) {
      const c = this.text.charCodeAt(this.position);
      closed = !this.skips(c) && this.sign(list, c);
    }
    if (!closed) this.close(list.command, ';');
  }

  /** Skips what only separates words: blanks, a continued line, a comment. */
  private skips(c: number): boolean {
    const text = this.text;
    if (c === BLANK || c === TAB || c === RETURN) this.position++;
    else if (c === BACKSLASH && text.charCodeAt(this.position + 1) === NEWLINE) this.position += 2;
    else if (c === HASH) {
      const end = text.indexOf('\n', this.position);
      this.position = end < 0 ? this.limit : end;
    } else return false;
    return true;
  }

  /** Reads one operator or word. True if it closes the list. */
  private sign(list: List, c: number): boolean {
    if (IN_TESTS.has(c) && isOpenTest(list.command)) {
      this.add(list.command, this.text[this.position++]!);
      return false;
    }
    switch (c) {
      case NEWLINE:
        this.newline(list);
        return false;
      case SEMICOLON:
        this.join(list, ';', 1);
        return false;
      case AMPERSAND:
        this.ampersand(list);
        return false;
      case PIPE:
        this.pipe(list);
        return false;
      case OPEN:
        this.open(list);
        return false;
      case CLOSE:
        return this.closing(list);
      case BACKTICK:
        if (list.until !== BACKTICK) break;
        this.join(list, ';', 1);
        return true;
      case LESS:
      case GREATER:
        if (this.text.charCodeAt(this.position + 1) === OPEN) break;
        this.redirection(list, c === GREATER ? 1 : 0);
        return false;
    }
    this.wordOrDescriptor(list);
    return false;
  }

  /** Ends the command at an operator of `length` characters. */
  private join(list: List, joint: Joint, length: number): void {
    list.command = this.close(list.command, joint);
    this.position += length;
  }

  private newline(list: List): void {
    this.join(list, ';', 1);
    if (list.heredocs.length > 0) this.bodies(list.heredocs.splice(0));
  }

  private ampersand(list: List): void {
    const next = this.text.charCodeAt(this.position + 1);
    if (next === GREATER) {
      this.position++;
      this.redirection(list, 1);
    } else if (next === AMPERSAND) this.join(list, '&&', 2);
    else this.join(list, '&', 1);
  }

  private pipe(list: List): void {
    const next = this.text.charCodeAt(this.position + 1);
    if (next === PIPE) this.join(list, '||', 2);
    else this.join(list, '|', next === AMPERSAND ? 2 : 1);
  }

  private open(list: List): void {
    if (this.text.charCodeAt(this.position + 1) === OPEN) this.arithmetic();
    else {
      this.position++;
      list.parentheses++;
    }
  }

  /** True if the parenthesis closes the list itself. */
  private closing(list: List): boolean {
    this.join(list, ';', 1);
    if (list.parentheses === 0) return list.until === CLOSE;
    list.parentheses--;
    return false;
  }

  /** In `2>file`, the number is not a word. */
  private wordOrDescriptor(list: List): void {
    const word = this.word(list.until, list.depth);
    const after = this.text.charCodeAt(this.position);
    if ((after === LESS || after === GREATER) && isDescriptor(word))
      this.redirection(list, Number(word));
    else this.add(list.command, word);
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
  private redirection({ command, heredocs, depth }: List, descriptor: number): void {
    const operator = this.redirector();
    const { text } = this;
    while (text.charCodeAt(this.position) === BLANK && this.position < this.limit) this.position++;
    if (this.position >= this.limit || text.charCodeAt(this.position) === NEWLINE) return;
    const word = this.word(0, depth);
    if (operator.startsWith('<<<')) command.body = word;
    else if (operator.startsWith('<<'))
      heredocs.push({ command, delimiter: word, indented: operator === '<<-' });
    else if (!operator.startsWith('>')) command.reads.push(word);
    else if (descriptor !== 2 && !isNoFile(operator, word)) {
      if ((this.mark & (DYNAMIC | GLOB)) !== 0) command.dynamicWrite = true;
      else command.writes.push(word);
      command.append = operator.startsWith('>>');
    }
  }

  /** Reads `>>`, `<<-`, `>&` and so on. */
  private redirector(): string {
    const from = this.position;
    const out = this.text.charCodeAt(from) === GREATER;
    while (this.position < this.limit) {
      const c = this.text.charCodeAt(this.position);
      const continues = c === LESS || c === GREATER || c === AMPERSAND;
      const ends = out ? c === PIPE : c === MINUS && this.position - from === 2;
      if (!continues && !ends) break;
      this.position++;
    }
    return this.text.slice(from, this.position);
  }

  /** Reads the here-documents that the line above begins. */
  private bodies(heredocs: Heredoc[]): void {
    const text = this.text;
    for (const { command, delimiter, indented } of heredocs) {
      const start = this.position;
      const [end, next] = heredocEnd(text, start, delimiter, indented);
      command.body = text.slice(start, end);
      this.limit = Math.min(text.length, this.limit + (next - start));
      this.position = Math.min(next + 1, text.length);
    }
  }
}

const isOpenTest = (command: Command): boolean =>
  command.words[0] === '[[' && command.words.at(-1) !== ']]';

const isDescriptor = (word: string): boolean => word.length === 1 && word >= '0' && word <= '9';

/** Whether output that is redirected to this goes to a device or another stream. */
const isNoFile = (operator: string, word: string): boolean =>
  word.startsWith('/dev/') ||
  word === 'NUL' ||
  word === '$null' ||
  (operator.endsWith('&') && (word === '-' || isDescriptor(word)));

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
