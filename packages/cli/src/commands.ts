import { UnrutError } from '@unrut/engine/errors';
import { errorReason } from '@unrut/engine/redact/reason';
import { printable } from '@unrut/engine/text/printable';
import { secretsInFiles } from '@unrut/ledger/config/secret-files';
import { elsewhere } from './effective-ledger.ts';
import { didYouMean, EXIT, usageError } from './exit.ts';
import { version } from './version.ts';

interface Command {
  summary: string;
  usage?: string;
  load(program: URL): Promise<(args: readonly string[]) => Promise<number>>;
}

/** Each is loaded when it is called. The order is that of the help. */
const COMMANDS: Readonly<Record<string, Command>> = {
  scan: {
    usage: 'scan [path…]',
    summary: 'find loops in recorded agent runs, and what they cost',
    load: async (program) => {
      const { scanCommand } = await import('./scan.ts');
      return (args) => scanCommand(args, { worker: program });
    },
  },
  explain: {
    usage: 'explain <file>',
    summary: 'explain why something in a run was called a loop, or was not',
    load: async () => (await import('./explain.ts')).explain,
  },
  replay: {
    usage: 'replay <file>',
    summary: 'replay a recorded run step by step: what the guard sees, and what it would do',
    load: async () => (await import('./replay.ts')).replay,
  },
  install: {
    usage: 'install <agent…>',
    summary: 'connect coding agents, so that Unrut warns them when they loop',
    load: async () => (await import('./install.ts')).install,
  },
  uninstall: {
    usage: 'uninstall <agent…>',
    summary: 'disconnect coding agents',
    load: async () => (await import('./uninstall.ts')).uninstall,
  },
  doctor: {
    summary: 'check which agents are connected, and whether their hooks work',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  off: {
    summary: 'switch Unrut off here (`--for 1h`, `--session`, `--everywhere`); it still records',
    load: async () => (await import('./switch.ts')).off,
  },
  on: {
    summary: 'switch Unrut on again',
    load: async () => (await import('./switch.ts')).on,
  },
  'false-alarm': {
    summary: 'say that the newest alarm was false: less force from now on, then silence',
    load: async () => (await import('./false-alarm.ts')).falseAlarm,
  },
  forgive: {
    summary: 'the same as false-alarm; `--undo` takes it back',
    load: async () => (await import('./false-alarm.ts')).falseAlarm,
  },
  report: {
    summary: 'write a redacted file about a false alarm, to send by hand',
    load: async () => (await import('./report.ts')).report,
  },
  statusline: {
    summary: 'print one line about a session, for the status line of Claude Code',
    load: async () => (await import('./statusline.ts')).statusline,
  },
  hook: {
    summary: 'answer a hook of a coding agent (`unrut install` sets this up)',
    load: async () => (await import('./hook.ts')).hook,
  },
  mcp: {
    usage: 'mcp -- <command…>',
    summary: 'wrap an MCP server and watch its tool calls',
    load: async () => (await import('./mcp.ts')).mcp,
  },
  gateway: {
    summary: 'stand between any program and the API of its model, and break its loops',
    load: async () => (await import('./gateway.ts')).gatewayCommand,
  },
  acp: {
    usage: 'acp -- <agent…>',
    summary: 'stand between an editor and its ACP agent, and get the agent out of loops',
    load: async () => (await import('./acp.ts')).acp,
  },
  run: {
    usage: 'run <file> -- <agent…>',
    summary: 'run an agent on a task until it is done, and catch it when it loops',
    load: async () => (await import('./run.ts')).run,
  },
  config: {
    summary: 'show the effective settings, and where each comes from',
    load: async () => (await import('./config.ts')).config,
  },
  sessions: {
    summary: 'list recorded sessions',
    load: async () => (await import('./sessions.ts')).sessions,
  },
  show: {
    usage: 'show [session]',
    summary: 'show a session step by step: what happened, and what was done about it',
    load: async () => (await import('./show.ts')).show,
  },
  log: {
    summary: 'print recorded entries, one per line (`--follow` to stream)',
    load: async () => (await import('./log.ts')).log,
  },
  stats: {
    summary: 'count loops, plans and their outcomes',
    load: async () => (await import('./stats.ts')).stats,
  },
  watch: {
    summary: 'watch running sessions live',
    load: async () => (await import('./watch.ts')).watchCommand,
  },
  serve: {
    summary: 'start the dashboard and the API; accepts hooks, events and telemetry over HTTP',
    load: async () => (await import('./serve.ts')).serve,
  },
  key: {
    usage: 'key add|list|revoke',
    summary: 'manage the keys of those who may use unrut serve',
    load: async () => (await import('./key.ts')).key,
  },
  migrate: {
    summary: 'create or upgrade the tables of a ledger in Postgres',
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  upkeep: {
    summary: 'look after a ledger in Postgres: create the tables of the next days, drop old ones',
    load: async () => (await import('./upkeep.ts')).upkeep,
  },
  export: {
    summary: 'write what is recorded as JSON Lines',
    load: async () => (await import('./export.ts')).exportLedger,
  },
  'import-ledger': {
    usage: 'import-ledger <file>',
    summary: 'copy a ledger in SQLite into Postgres',
    load: async () => (await import('./import-ledger.ts')).importLedger,
  },
  forget: {
    usage: 'forget <session>',
    summary: 'delete a recorded session, or everything (`--all`)',
    load: async () => (await import('./forget.ts')).forget,
  },
  completion: {
    usage: 'completion <shell>',
    summary: 'print a script that completes commands and options (bash, zsh, fish)',
    load: async (program) => {
      const { completion } = await import('./completion.ts');
      const commands = Object.fromEntries(
        Object.entries(COMMANDS).map(([name, { summary }]) => [name, summary]),
      );
      return (args) => completion(args, { commands, options: (name) => optionsOf(name, program) });
    },
  },
  cua: {
    usage: 'cua run <task.yaml>',
    summary: 'run a computer-use task in a browser, and break its loops',
    load: async () => (await import('./cua.ts')).cua,
  },
};

/** What agents answer in their prompt, and what tells it in a terminal. */
const IN_AGENTS: Readonly<Record<string, string>> = {
  status:
    'In a terminal, `unrut watch` and `unrut sessions` tell how it stands, and `unrut doctor` whether all is connected.',
  why: 'In a terminal, `unrut show` tells it.',
};

/** The options that a command's help names. */
async function optionsOf(name: string, program: URL): Promise<readonly string[]> {
  if (name === 'hook' || name === 'completion') return ['--help'];
  const command = await COMMANDS[name]!.load(program);
  const lines: string[] = [];
  const { log } = console;
  console.log = (text: string) => void lines.push(text);
  try {
    await command(['--help']);
  } finally {
    console.log = log;
  }
  return [...new Set(lines.join('\n').match(/(?<![\w-])--[a-z][a-z-]+/g) ?? [])].sort();
}

const help = (): string => `unrut: detect when an AI agent is stuck in a loop, and get it out

Usage
${Object.entries(COMMANDS)
  .map(([name, { usage = name, summary }]) => `  unrut ${usage.padEnd(22)}  ${summary}`)
  .join('\n')}
  unrut --version
  unrut <command> --help

Exit codes: 0 no loops, 1 loops found, 2 unreadable input or unexpected error, 64 usage error.
unrut run and unrut cua have codes of their own: see their --help.`;

function isSomewhere(): boolean {
  try {
    return process.cwd() !== '';
  } catch {
    return false;
  }
}

async function run([command, ...rest]: readonly string[], program: URL): Promise<number> {
  switch (command) {
    case '--version':
    case '-v':
      console.log(version());
      return EXIT.ok;
    case 'help':
      if (rest[0] !== undefined && Object.hasOwn(COMMANDS, rest[0]))
        return run([rest[0], '--help'], program);
      console.log(help());
      return EXIT.ok;
    case '--help':
    case '-h':
      console.log(help());
      return EXIT.ok;
  }
  if (command === undefined || command.startsWith('-')) {
    const { firstLook } = await import('./first-look.ts');
    return firstLook(command === undefined ? [] : [command, ...rest], { worker: program });
  }
  if (!Object.hasOwn(COMMANDS, command)) {
    const guess = Object.hasOwn(IN_AGENTS, command)
      ? ` ${IN_AGENTS[command]}`
      : didYouMean(command, Object.keys(COMMANDS));
    throw usageError(`Unknown command \`${command}\`.${guess} Run \`unrut --help\` for the list.`);
  }
  // A hook says nothing of what is wrong.
  if (command !== 'hook') {
    if (!isSomewhere())
      throw new UnrutError(
        'unreadable',
        'The folder that you are in no longer exists. Go to another one and try again.',
      );
    Object.assign(process.env, secretsInFiles(process.env));
  }
  return (await COMMANDS[command]!.load(program))(rest);
}

/**
 * Runs a command line and gives its exit code; what is wrong is said in one line. `program` is the
 * file that threads run.
 */
export async function runCommand(args: readonly string[], program: URL): Promise<number> {
  try {
    return await run(args, program);
  } catch (error) {
    // Names of files may hold anything.
    console.error(
      printable(
        error instanceof UnrutError
          ? told(error)
          : `[unrut] Unexpected error: ${errorReason(error)}.`,
      ),
    );
    return error instanceof UnrutError && error.code === 'usage' ? EXIT.usage : EXIT.unreadable;
  }
}

/** What is not in the ledger may be in that of a server. */
function told({ code, message }: UnrutError): string {
  const hint = code === 'unknown-session' || code === 'no-alarm' ? elsewhere() : undefined;
  return hint === undefined || message.includes(hint) ? message : `${message} ${hint}`;
}
