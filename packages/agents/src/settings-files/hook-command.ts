import { shellWord } from '@unrut/engine/text/shell-word';
import type { HookReach, Order } from './order.ts';

/** How a host hands a command line to the machine. */
export type Shell = 'posix' | 'powershell' | 'cmd';

/** The file in a project that starts the hook, wherever the project was cloned to. */
export const LAUNCHER = '.unrut/hook.cjs';

/** What the hook is started with: for whom it was installed, and that it may only record. */
export const hookArguments = (agent: string, { shadow }: Pick<HookReach, 'shadow'>): string[] => [
  '--for',
  agent,
  ...(shadow ? ['--shadow'] : []),
];

/**
 * For a person's own settings: absolute paths. Ends well when Node or the hook is gone, since
 * Copilot takes any exit code but 0 for a refusal.
 */
export const ownCommand = (agent: string, call: HookReach, shell: Shell): string =>
  whereFound([call.node, call.hook], plainCommand(agent, call, shell), shell);

/** The same for a script that ends well by itself. */
export const plainCommand = (agent: string, call: HookReach, shell: Shell): string =>
  `${commandLine([call.node, call.hook], shell)} ${hookArguments(agent, call).join(' ')}`;

/** For a project's settings, on any platform: the launcher, from the project's folder. */
export const projectCommand = (agent: string, call: HookReach): string =>
  `node ${LAUNCHER} ${hookArguments(agent, call).join(' ')}`;

/** The same for PowerShell, for a host that takes a failing command for a refusal. */
export const projectPowershell = (agent: string, call: HookReach): string =>
  whereFound(
    [LAUNCHER],
    projectCommand(agent, call),
    'powershell',
    '(Get-Command node -ErrorAction Ignore)',
  );

/**
 * The same for hosts that start a POSIX shell, in the project's folder or one below it. Who has no
 * Node or no launcher is not bothered. `root` is what the host takes for the project's folder.
 * Cursor would take a slash and a star for a comment.
 */
export function guardedCommand(agent: string, call: HookReach, root = '$PWD'): string {
  const isThere = `[ -f "$d/${LAUNCHER}" ]`;
  const up = '$' + '{d%"/"*}';
  const find = `d="${root}"; until ${isThere} || [ -e "$d/.git" ] || [ "$d" = "${up}" ]; do d="${up}"; done`;
  return `${find}; ${isThere} && command -v node >/dev/null || exit 0; node "$d/${LAUNCHER}" ${hookArguments(agent, call).join(' ')}`;
}

/**
 * What an order's settings call: the hook by its path, in the shell that the host has on Windows;
 * in a project, what `inProject` gives.
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

/** A command line of words that may hold blanks. */
export function commandLine(words: readonly string[], shell: Shell): string {
  if (shell === 'powershell') return `& ${words.map(inPowershell).join(' ')}`;
  if (shell === 'cmd') return words.map((word) => `"${word}"`).join(' ');
  return words.map(inPosix).join(' ');
}

/** The command if all files are there; else nothing happens, successfully. */
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
