import { foldKey } from '../json.ts';
import { remembering } from '../lazily.ts';
import { sqlVerb } from '../shell/sql-verb.ts';
import { commandArgument, commandIn, firstLiteral, targetOf } from './arguments.ts';
import { regionOf } from './edit-region.ts';
import { type NameWords, readName, splitWords, verbOf } from './name-words.ts';
import { type Arguments, type EditArguments, SHELL_TALK, type ToolPrint } from './profile.ts';
import { blankPrint, settle, shellPrint } from './read-profile.ts';

/** Guesses what an unknown tool does from its name and its arguments. */

const MAX_ARGUMENTS = 24;

/**
 * Kinds of targets by the (folded) names of arguments. The first kind in this order that is found
 * becomes the target.
 */
const KINDS = ['file', 'url', 'element', 'id'] as const;
type Kind = (typeof KINDS)[number];
const ARGUMENT_KINDS = new Map<string, Kind>();
for (const [kind, names] of [
  [
    'file',
    'path file filepath filename targetfile relativepath absolutepath relativefilepath absolutefilepath notebookpath sourcefile inputfile outputfile',
  ],
  ['file', 'documentpath directory dir folder dirpath folderpath'],
  ['url', 'url uri href pageurl link website'],
  ['element', 'ref uid selector elementid elementref bid xpath css locator'],
  ['id', 'id uuid identifier key'],
] as const) {
  for (const name of names.split(' ')) ARGUMENT_KINDS.set(name, kind);
}
/** Ids of the conversation, not of what it is about. */
const TALKING = new Set(
  'sessionid requestid traceid spanid correlationid conversationid threadid runid callid toolcallid clientid'.split(
    ' ',
  ),
);

const COMMANDS = ['command', 'cmd', 'CommandLine', 'commandLine', 'command_line', 'commands'];
const SUBCOMMANDS = [
  'action',
  'operation',
  'command',
  'subcommand',
  'sub_command',
  'op',
  'method',
  'mode',
];
const STATEMENTS = ['sql', 'query', 'statement'];

/** Arguments in which an edit gives the old and the new text, whatever the tool is called. */
const EDIT: EditArguments = {
  before: [
    'old_string',
    'oldString',
    'old_str',
    'old_text',
    'oldText',
    'old',
    'search',
    'find',
    'before',
    'original',
  ],
  after: [
    'new_string',
    'newString',
    'new_str',
    'new_text',
    'newText',
    'new',
    'replace',
    'replacement',
    'after',
    'insert_text',
    'text',
    'code',
    'code_edit',
    'content',
    'body',
    'diff',
    'patch',
  ],
  edits: 'edits',
};
const WHOLE: EditArguments = {
  content: ['content', 'contents', 'file_text', 'text', 'body', 'code', 'data'],
};

export function guess(tool: string, bare: string, args: Arguments, text: string | null): ToolPrint {
  const name = nameOf(bare);
  const command = shellCommand(name, args, text);
  if (command !== null)
    return shellPrint(tool, text === null ? commandIn(args, command) : command, SHELL_TALK, args);

  const print = blankPrint(tool);
  print.verb = name.verb;
  const sub = subcommandOf(args);
  const subVerb = sub === null ? 'unknown' : verbOf(splitWords(sub));
  if (subVerb !== 'unknown') {
    print.verb = subVerb;
    print.tool = `${tool} ${sub}`;
  }
  const statement = statementVerb(args, text, name);
  if (statement !== null) print.verb = statement;

  const words = subVerb === 'unknown' ? name : nameOf(sub!);
  if (print.verb === 'read' || print.verb === 'unknown' || print.verb === 'verify')
    print.asks = asksIn(words, args);
  print.target = guessTarget(name, print.verb, args, text);
  // A search's query, and the place it searches, are not its target.
  if (words.searches && print.verb === 'read' && !print.target?.startsWith('id:'))
    print.target = null;
  if (print.verb === 'write') guessWrite(print, name, words, args);
  print.look = isLook(print, name, words);
  settle(print, print.verb === 'read' ? words.lists || print.target === null : undefined);
  print.freeText = print.verb === 'write' || isTitled(args) ? [] : DESCRIPTION;
  return print;
}

const isOnFile = ({ target }: ToolPrint): boolean => target?.startsWith('file:') ?? false;
const isTitled = (args: Arguments): boolean =>
  args.title !== undefined || args.name !== undefined || args.subject !== undefined;

function guessWrite(print: ToolPrint, name: NameWords, words: NameWords, args: Arguments): void {
  const onFile = isOnFile(print);
  const drawn = name.drawn && print.target !== null && !onFile;
  if (words.removes || (drawn && !words.patches)) print.clears = 'target';
  print.patch = drawn ? words.patches : onFile && !words.removes && !words.relocates;
  if (print.patch && onFile) print.region = guessRegion(words, args);
}

const isLook = (print: ToolPrint, name: NameWords, words: NameWords): boolean =>
  print.verb === 'verify' ||
  (print.verb === 'execute' && name.runsCode) ||
  (print.verb === 'read' && (isOnFile(print) || name.drawn) && !words.lists);

/** What the name of a tool, or the statement it is given, asks for. */
function asksIn({ asks }: NameWords, args: Arguments): ToolPrint['asks'] {
  const statement = STATEMENTS.map((key) => args[key]).find(
    (value) => typeof value === 'string' && /^\s*select\s/i.test(value),
  );
  if (statement !== undefined)
    return /\bcount\s*\(/i.test(statement as string) ? 'state' : 'content';
  return asks;
}

/** A description only gives a reason, unless something is created or changed. */
const DESCRIPTION: readonly string[] = ['description'];

const nameOf = remembering(readName);

function shellCommand(name: NameWords, args: Arguments, text: string | null): string | null {
  if (name.shell === 'no') return null;
  if (text !== null) return name.shell === 'yes' ? text : null;
  for (const key of COMMANDS) {
    const command = commandArgument(args[key]);
    // `run_tests` takes the name of a suite, not a command.
    if (command !== null && (name.shell === 'yes' || name.verb !== 'verify')) return command;
  }
  return name.shell === 'yes' ? commandArgument(args.script ?? args.input) : null;
}

function subcommandOf(args: Arguments): string | null {
  for (const key of SUBCOMMANDS) {
    const value = args[key];
    if (typeof value === 'string' && /^[A-Za-z][\w-]{0,40}$/.test(value)) return value;
  }
  return null;
}

/** What a database statement in the arguments does, for tools that run statements. */
function statementVerb(args: Arguments, text: string | null, name: NameWords): Verb | null {
  for (const key of STATEMENTS) {
    const value = args[key];
    if (typeof value === 'string' && /\s/.test(value)) {
      const verb =
        key === 'sql' ||
        name.verb === 'execute' ||
        name.words.includes('sql') ||
        name.words.includes('query')
          ? sqlVerb(value)
          : null;
      if (verb !== null) return verb;
    }
  }
  return text !== null && (name.words.includes('sql') || name.words.includes('query'))
    ? sqlVerb(text)
    : null;
}
type Verb = ToolPrint['verb'];

function guessTarget(
  name: NameWords,
  verb: Verb,
  args: Arguments,
  text: string | null,
): string | null {
  const found: Partial<Record<Kind, string>> = {};
  let ids = 0;
  let id: string | null = null;
  let count = 0;
  for (const key of Object.keys(args)) {
    if (++count > MAX_ARGUMENTS) break;
    const folded = foldKey(key);
    const kind = ARGUMENT_KINDS.get(folded);
    if (kind !== undefined)
      found[kind] ??=
        targetOf(kind === 'url' && isFile(args[key]) ? 'file' : kind, args[key]) ?? undefined;
    else if (folded.endsWith('id') && isIdName(key) && !TALKING.has(folded)) {
      const value = targetOf('id', args[key]);
      if (value === null) continue;
      // `reservation_id` is the target of `update_reservation`, whatever other ids there are.
      if (name.words.includes(splitWords(key)[0]!)) found.id ??= value;
      id ??= value;
      ids++;
    }
  }
  for (const kind of KINDS) if (found[kind] !== undefined) return found[kind];
  return ids === 1 ? id : literalTarget(verb, text);
}

/** The first literal in the source text of a call. */
function literalTarget(verb: Verb, text: string | null): string | null {
  const literal =
    text === null || (verb !== 'execute' && verb !== 'navigate') ? null : firstLiteral(text);
  if (literal === null) return null;
  return targetOf(verb === 'navigate' || literal.includes('://') ? 'url' : 'element', literal);
}

const isFile = (value: unknown): boolean =>
  typeof value === 'string' && value.startsWith('file://');
/** `user_id` and `userId`, not `valid`. */
const isIdName = (key: string): boolean => /(?:[_-]id|[a-z0-9]I[dD])$/.test(key);

function guessRegion(name: NameWords, args: Arguments): ToolPrint['region'] {
  const region = regionOf(args, EDIT);
  // A write that gives neither a place nor the text it replaces writes the whole file.
  if (region === null || !name.whole || region.lines !== undefined || region.before !== undefined)
    return region;
  return regionOf(args, WHOLE) ?? region;
}
