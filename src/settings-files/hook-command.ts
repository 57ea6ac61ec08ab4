import type { HookReach } from './order.ts';

/** How a host hands a command line to the machine. */
export type Shell = 'posix' | 'powershell' | 'cmd';

/** The file in a project that finds the package, wherever the project was cloned to. */
export const LAUNCHER = '.unrut/hook.cjs';

/** What the hook is started with: for whom it was installed, and that it may only record. */
export const hookArguments = (agent: string, { shadow }: Pick<HookReach, 'shadow'>): string[] => [
  '--for',
  agent,
  ...(shadow ? ['--shadow'] : []),
];

/** For a person's own settings: absolute paths. */
export const ownCommand = (agent: string, call: HookReach, shell: Shell): string =>
  `${commandLine([call.node, call.hook], shell)} ${hookArguments(agent, call).join(' ')}`;

/** For a project's settings, on any platform: the launcher, from the project's folder. */
export const projectCommand = (agent: string, call: HookReach): string => `node ${LAUNCHER} ${hookArguments(agent, call).join(' ')}`;

/**
 * The same for hosts that start a POSIX shell, in a folder that may be another: `root` is what it takes for the project's.
 * Who has no Node or no launcher is not bothered: Copilot takes any exit code but 0 for a refusal.
 */
export function guardedCommand(agent: string, call: HookReach, root = '.'): string {
  const file = `"${root}/${LAUNCHER}"`;
  return `[ -f ${file} ] && command -v node >/dev/null || exit 0; node ${file} ${hookArguments(agent, call).join(' ')}`;
}

/** A command line of words that may hold blanks. */
export function commandLine(words: readonly string[], shell: Shell): string {
  if (shell === 'powershell') return `& ${words.map((word) => `'${word.replaceAll("'", "''")}'`).join(' ')}`;
  if (shell === 'cmd') return words.map((word) => `"${word}"`).join(' ');
  return words.map((word) => quoted(/^[A-Za-z]:\\/.test(word) ? word.replaceAll('\\', '/') : word)).join(' ');
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
