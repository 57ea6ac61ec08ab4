import { remembering } from '../lazily.ts';
import { type Invocation, NO_OPTIONS, options, under } from './deed.ts';

/**
 * A program that only starts another one: how many words of its own it takes, and which of its
 * options have a value.
 */
interface Wrapper {
  own: number;
  valued: ReadonlySet<string>;
  /** It is part of what is run: `sudo rm` is not the same command as `rm`. */
  kept?: boolean;
}

const wrapper = (own = 0, valued = '', kept = false): Wrapper => ({
  own,
  valued: valued === '' ? NO_OPTIONS : options(valued),
  kept,
});

const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([
  ...under('nohup setsid unbuffer cross-env command builtin exec rtk', wrapper()),
  ...under('timeout gtimeout', wrapper(1, '-s -k --signal --kill-after')),
  ['time', wrapper(0, '-f -o')],
  ['nice', wrapper(0, '-n')],
  ['ionice', wrapper(0, '-c -n -p')],
  ['stdbuf', wrapper(0, '-o -i -e')],
  ['caffeinate', wrapper(0, '-t')],
  ['env', wrapper(0, '-u -C -S')],
  ['xvfb-run', wrapper(0, '-s -n')],
  ['sudo', wrapper(0, '-u -g -p -C -h -U', true)],
  ['doas', wrapper(0, '-u', true)],
  ['wsl', wrapper(0, '-d --distribution -u --user --cd --shell-type', true)],
  ['npx', wrapper(0, '-p --package -w --workspace')],
  ['bunx', wrapper(0, '-p --package')],
  ['pnpx', wrapper(0, '--package')],
  ['uvx', wrapper(0, '--from --with --python -p')],
]);

/** Runners that need a certain first word: `uv run`, `bundle exec`. */
const RUNNERS: ReadonlyMap<string, Readonly<Record<string, Wrapper>>> = new Map<
  string,
  Readonly<Record<string, Wrapper>>
>([
  ['npm', { exec: wrapper(1, '-p --package'), x: wrapper(1, '-p --package') }],
  ['pnpm', { exec: wrapper(1), dlx: wrapper(1, '--package') }],
  ['yarn', { exec: wrapper(1), dlx: wrapper(1, '-p --package') }],
  ['bun', { x: wrapper(1) }],
  [
    'uv',
    { run: wrapper(1, '--with --python -p --extra --group --package --directory --env-file') },
  ],
  ...under('poetry pipenv pdm hatch rye pipx', { run: wrapper(1) }),
  ['bundle', { exec: wrapper(1) }],
  ['mise', { exec: wrapper(1), x: wrapper(1) }],
  ['dotenvx', { run: wrapper(1, '-f') }],
  ['conda', { run: wrapper(1, '-n -p') }],
]);

/** Folders whose programs are identified by name alone. */
const STANDARD =
  /^(?:\/(?:usr\/)?(?:local\/)?s?bin\/|\/opt\/homebrew\/bin\/|(?:.*\/)?(?:node_modules\/\.bin|\.?venv\/bin)\/)/;

/** Anything else in the place of a program is a piece of another language. */
const PROGRAM = /^[\w.:+[\]-]{1,40}$/;

/** The common name of a program: no folder, no version, no `.exe`, lower case. */
const programName = remembering((word) => {
  let name = word;
  const slash = Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\'));
  if (slash >= 0 && slash < name.length - 1) name = name.slice(slash + 1);
  const version = name.indexOf('@', 1);
  if (version > 0) name = name.slice(0, version);
  if (name.endsWith('.exe') || name.endsWith('.cmd')) name = name.slice(0, -4);
  return PROGRAM.test(name) ? name.toLowerCase() : 'sh';
});

/**
 * The program in comparable form: its path matters, except in the standard folders for programs.
 */
export const programText = (word: string): string =>
  word.includes('/') && STANDARD.test(word) ? word.slice(word.lastIndexOf('/') + 1) : word;

export interface Unwrapped extends Invocation {
  /** Wrappers that are part of what is run. */
  kept: string;
}

/** The program that a command actually runs, if the one at `start` only starts another. */
export function unwrap(
  words: readonly string[],
  marks: readonly number[],
  start: number,
  piped: boolean,
  body: string | null,
): Unwrapped {
  // PowerShell: `$lines = Get-Content a.txt`
  let at =
    words[start]!.startsWith('$') && words[start + 1] === '=' && start + 2 < words.length
      ? start + 2
      : start;
  let kept = '';
  let name = programName(words[at]!);
  for (let turns = 0; turns < 8; turns++) {
    const next = inside(words, at, name);
    if (next < 0) break;
    if (WRAPPERS.get(name)?.kept) kept = `${name} `;
    at = next;
    name = programName(words[at]!);
  }
  return { words, marks, at, name, piped, body, carried: 0, kept };
}

/** Index of the program that the wrapper at `at` starts, or -1. */
function inside(words: readonly string[], at: number, name: string): number {
  const found = WRAPPERS.get(name);
  if (found === undefined && name.startsWith('py')) return module(words, at, name);
  const starter = found ?? runnerOf(name, words[at + 1]);
  // `command -v node` only asks and runs nothing.
  const asks = name === 'command' && (words[at + 1] === '-v' || words[at + 1] === '-V');
  return starter === undefined || asks ? -1 : afterOwnWords(words, at, name, starter);
}

function runnerOf(name: string, word: string | undefined): Wrapper | undefined {
  const runner = RUNNERS.get(name);
  return runner !== undefined && word !== undefined && Object.hasOwn(runner, word)
    ? runner[word]
    : undefined;
}

/** Index of the first word that is none of the wrapper's own, or -1. */
function afterOwnWords(
  words: readonly string[],
  at: number,
  name: string,
  { own, valued }: Wrapper,
): number {
  const assigns = name === 'env' || name === 'cross-env';
  let left = own;
  for (let i = at + 1; i < words.length; i++) {
    const word = words[i]!;
    if (word === '--') return i + 1 < words.length ? i + 1 : -1;
    if (word.startsWith('-')) {
      if (valued.has(word)) i++;
    } else if (assigns && /^\w+=/.test(word)) continue;
    else if (left > 0) left--;
    else return i;
  }
  return -1;
}

/** `python -m pytest` runs pytest. */
function module(words: readonly string[], at: number, name: string): number {
  if (
    name !== 'python' &&
    name !== 'python3' &&
    name !== 'py' &&
    !/^py(?:thon|py)[\d.]*$/.test(name)
  )
    return -1;
  for (let i = at + 1; i < words.length; i++) {
    const word = words[i]!;
    if (word === '-m') return i + 1 < words.length ? i + 1 : -1;
    if (word === '-W' || word === '-X') i++;
    else if (!word.startsWith('-') || word === '-c' || word === '-') return -1;
  }
  return -1;
}
