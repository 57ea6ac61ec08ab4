import { shellWord } from '@unrut/engine/text/shell-word';
import type { HookReach, Order } from './order.ts';

/** The shell that a host uses. */
export type Shell = 'posix' | 'powershell' | 'cmd';

/** The file in a project that starts the hook, independent of the clone's location. */
export const LAUNCHER = '.unrut/hook.cjs';

/** The hook's arguments: the agent, and shadow mode. */
export const hookArguments = (agent: string, { shadow }: Pick<HookReach, 'shadow'>): string[] => [
  '--for',
  agent,
  ...(shadow ? ['--shadow'] : []),
];

/**
 * For a user's own settings: absolute paths. Exits with 0 if Node or the hook is missing, since
 * Copilot treats other exit codes as a block.
 */
export const ownCommand = (agent: string, call: HookReach, shell: Shell): string =>
  whereFound([call.node, call.hook], plainCommand(agent, call, shell), shell);

/** The same for a script that handles errors itself. */
export const plainCommand = (agent: string, call: HookReach, shell: Shell): string =>
  `${commandLine([call.node, call.hook], shell)} ${hookArguments(agent, call).join(' ')}`;

/** For a project's settings, on any platform: the launcher, relative to the project's folder. */
export const projectCommand = (agent: string, call: HookReach): string =>
  `node ${LAUNCHER} ${hookArguments(agent, call).join(' ')}`;

/** The same for PowerShell, for a host that treats failures as a block. */
export const projectPowershell = (agent: string, call: HookReach): string =>
  whereFound(
    [LAUNCHER],
    projectCommand(agent, call),
    'powershell',
    '(Get-Command node -ErrorAction Ignore)',
  );

/**
 * The same for hosts that start a POSIX shell in the project's folder or below. Does nothing
 * without Node or the launcher. `root` is the host's variable for the project's folder. Cursor
 * would read a slash and an asterisk as a comment.
 */
export function guardedCommand(agent: string, call: HookReach, root = '$PWD'): string {
  const isThere = `[ -f "$d/${LAUNCHER}" ]`;
  const up = '$' + '{d%"/"*}';
  const find = `d="${root}"; until ${isThere} || [ -e "$d/.git" ] || [ "$d" = "${up}" ]; do d="${up}"; done`;
  return `${find}; ${isThere} && command -v node >/dev/null || exit 0; node "$d/${LAUNCHER}" ${hookArguments(agent, call).join(' ')}`;
}

/**
 * The command for an agent's settings: the hook's path, in the host's shell on Windows; in a
 * project, the result of `inProject`.
 */
export const commandFor = (
  agent: string,
  { scope, at, call }: Order,
  onWindows: Shell,
  inProject: (agent: string, call: HookReach) => string = guardedCommand,
): string =>
  scope === 'user'
    ? ownCommand(agent, call, at.platform === 'win32' ? onWindows : 'posix')
    : inProject(agent, call);

/** Quotes words for a command line. */
export function commandLine(words: readonly string[], shell: Shell): string {
  if (shell === 'powershell') return `& ${words.map(inPowershell).join(' ')}`;
  if (shell === 'cmd') return words.map((word) => `"${word}"`).join(' ');
  return words.map(inPosix).join(' ');
}

/** Runs the command if all files exist; otherwise succeeds without doing anything. */
function whereFound(
  files: readonly string[],
  command: string,
  shell: Shell,
  also?: string,
): string {
  if (shell === 'cmd') return `${files.map((file) => `if exist "${file}" `).join('')}${command}`;
  if (shell === 'posix')
    return `${files.map((file) => `[ -f ${inPosix(file)} ]`).join(' && ')} || exit 0; ${command}`;
  const found = [
    ...files.map((file) => `(Test-Path -LiteralPath ${inPowershell(file)})`),
    ...(also ? [also] : []),
  ];
  return `if (${found.join(' -and ')}) { ${command}; exit $LASTEXITCODE }`;
}

const inPowershell = (word: string): string => `'${word.replaceAll("'", "''")}'`;

function inPosix(word: string): string {
  const path = /^[A-Za-z]:\\/.test(word) ? word.replaceAll('\\', '/') : word;
  return shellWord(path);
}
