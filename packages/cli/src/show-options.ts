import { flagOption, optionRows, textOption } from './arguments.ts';
import { ORIGIN_OPTIONS } from './origin-options.ts';

/** The modes of `unrut show`. */
export const MODES = {
  list: flagOption('list the recorded sessions'),
  log: flagOption('print recorded entries, one per line'),
} as const;

export const SHOW_OPTIONS = {
  json: flagOption('print JSON instead of text'),
} as const;

const SINCE = textOption('WHEN', 'only what is newer than WHEN: 30m, 24h, 7d, 2w, or a date');

export const LIST_OPTIONS = {
  since: SINCE,
  last: textOption('N', 'show the newest N (default 20)', '20'),
  ...ORIGIN_OPTIONS,
  ...SHOW_OPTIONS,
} as const;

export const LOG_OPTIONS = {
  since: SINCE,
  session: textOption('NAME', 'only this session (a prefix is enough)'),
  kind: textOption('KIND', 'only this kind: event, signal, plan, outcome or fault'),
  last: textOption('N', 'show the newest N (default 50; all with --since)'),
  follow: { ...flagOption('stream new entries until Ctrl-C'), short: 'f' },
  ...SHOW_OPTIONS,
} as const;

export const REPLAY_OPTIONS = {
  preset: textOption('NAME', 'recommended (default), strict or observe', 'recommended'),
  format: textOption('NAME', 'read the file as this format'),
  'exit-zero': flagOption('exit with 0 even if there are loops'),
  ...SHOW_OPTIONS,
} as const;

const rows = (options: Parameters<typeof optionRows>[0]): string => optionRows(options, 17);
const without = <Options extends object>({ json: _, ...options }: Options & { json: unknown }) =>
  options as unknown as Parameters<typeof optionRows>[0];

export const SHOW_HELP = `unrut show [session]
unrut show <file>
unrut show --list
unrut show --log [session]

Show a session step by step: each call and its result, what was detected, what Unrut did about it, and whether it helped. [session] is
a name or the beginning of one, as --list prints it; without it, the newest is shown. A file, of any format that unrut scan reads, is
replayed through the guard: what Unrut would do there (the recorded agent does not react); - is standard input.

Options
${rows(SHOW_OPTIONS)}
  --help

--list: the recorded sessions, most recently active first
${rows(without(LIST_OPTIONS))}

--log: recorded entries, oldest first: an event, a signal (▲), a plan (→), an outcome (✓ ·) or a fault (!)
${rows(without(LOG_OPTIONS))}

<file>
${rows(without(REPLAY_OPTIONS))}

Exit codes: 0 shown, 1 a file has loops, 2 no such session or it could not be read, 64 usage error.`;
