import type { Command } from './command.ts';
import { gitSubcommand } from './git.ts';
import { programText, type Unwrapped } from './unwrap.ts';

/** Settings for colour, paging and progress. They change how a program prints, not what it does. */
const HARMLESS = new Set(
  `CI FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM TERM COLUMNS LINES PAGER GIT_PAGER GH_PAGER MANPAGER LESS LANG LC_ALL LANGUAGE PYTHONUNBUFFERED
   PYTHONDONTWRITEBYTECODE DEBIAN_FRONTEND NODE_NO_WARNINGS NPM_CONFIG_COLOR GIT_TERMINAL_PROMPT DO_NOT_TRACK NEXT_TELEMETRY_DISABLED ASTRO_TELEMETRY_DISABLED
   TURBO_TELEMETRY_DISABLED NO_UPDATE_NOTIFIER HUSKY`.split(/\s+/),
);
const TALK = new Set([
  '--color',
  '--no-color',
  '--colour',
  '--no-pager',
  '--color=never',
  '--color=always',
  '--color=auto',
  '--colors',
  '--no-progress',
]);

const SAFE = new Uint8Array(128);
for (const c of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./~^$*?[]{}!#-')
  SAFE[c.charCodeAt(0)] = 1;

/**
 * One program in comparable form: one space between words, one style of quotes, no settings for how
 * it prints.
 */
export function commandText(command: Command, run: Unwrapped | null): string {
  let text = command.lead === '' || command.lead === 'for' ? '' : command.lead;
  for (const assignment of command.assignments) {
    if (run === null || !HARMLESS.has(assignment.slice(0, assignment.indexOf('='))))
      text = joined(text, quoted(assignment));
  }
  if (run !== null) {
    text = joined(text, run.kept + quoted(programText(run.words[run.at]!)));
    // `git -C folder` means the same as `cd folder &&` before it, so the option is dropped here.
    const first = run.name === 'git' ? Math.min(gitSubcommand(run), run.words.length) : run.at + 1;
    for (let i = first; i < run.words.length; i++)
      if (!TALK.has(run.words[i]!)) text = `${text} ${quoted(run.words[i]!)}`;
  }
  for (const path of command.reads) text = joined(text, `< ${quoted(path)}`);
  for (const path of command.writes)
    text = joined(text, `${command.append ? '>>' : '>'} ${quoted(path)}`);
  return command.body === null ? text : `${text} << ${quoted(command.body)}`;
}

const joined = (text: string, more: string): string => (text === '' ? more : `${text} ${more}`);

/** Adds quotes only if needed: `"a"` becomes `a`, but `"a b"` keeps its quotes. */
function quoted(word: string): string {
  for (let i = 0; i < word.length; i++) {
    const c = word.charCodeAt(i);
    if (c < 128 && SAFE[c] === 0) return `'${word.replaceAll("'", "''")}'`;
  }
  return word === '' ? "''" : word;
}
