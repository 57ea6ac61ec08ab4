import { UnrutError } from '@unrut/engine/errors';
import { errorReason } from '@unrut/engine/redact/reason';
import { printable } from '@unrut/engine/text/printable';
import { secretsInFiles } from '@unrut/ledger/config/secret-files';
import type { DefinedCommand } from './command.ts';
import { elsewhere } from './effective-ledger.ts';
import { complain, didYouMean, EXIT, usageError } from './exit.ts';
import { helpText } from './help-text.ts';
import { version } from './version.ts';

/** A command that was loaded: how it is run, and the options that it declares. */
interface Loaded {
  run(args: readonly string[]): Promise<number>;
  options: Readonly<Record<string, unknown>>;
}

interface Command {
  summary: string;
  usage?: string;
  load(program: URL): Promise<Loaded>;
}

const loaded = (
  command: Pick<DefinedCommand, 'options'> & ((args: readonly string[]) => Promise<number>),
): Loaded => ({ run: command, options: command.options });

/** Each is loaded when it is called. The order is that of the help. */
const VISIBLE: Readonly<Record<string, Command>> = {
  scan: {
    usage: 'scan [path…]',
    summary: 'find loops in recorded agent runs, and what they cost',
    load: async (program) => {
      const { scanCommand } = await import('./scan.ts');
      const { options } = scanCommand;
      return { run: (args) => scanCommand(args, { worker: program }), options };
    },
  },
  show: {
    usage: 'show [session|file]',
    summary: 'show a session step by step, or replay a file (`--list`, `--log`)',
    load: async () => loaded((await import('./show.ts')).show),
  },
  explain: {
    usage: 'explain <file>',
    summary: 'explain why something in a run was called a loop, or was not',
    load: async () => loaded((await import('./explain.ts')).explain),
  },
  install: {
    usage: 'install <agent…>',
    summary: 'connect coding agents, so that Unrut warns them when they loop',
    load: async (program) => {
      const { install } = await import('./install.ts');
      const { options } = install;
      return { run: (args) => install(args, { worker: program }), options };
    },
  },
  uninstall: {
    usage: 'uninstall <agent…>',
    summary: 'disconnect coding agents',
    load: async () => loaded((await import('./uninstall.ts')).uninstall),
  },
  doctor: {
    summary: 'check which agents are connected, and whether their hooks work',
    load: async () => loaded((await import('./doctor.ts')).doctor),
  },
  off: {
    summary: 'switch Unrut off here (`--for 1h`, `--session`, `--everywhere`); it still records',
    load: async () => loaded((await import('./switch.ts')).off),
  },
  on: {
    summary: 'switch Unrut on again',
    load: async () => loaded((await import('./switch.ts')).on),
  },
  'false-alarm': {
    summary: 'say that the newest alarm was false: less force from now on, then silence',
    load: async () => loaded((await import('./false-alarm.ts')).falseAlarm),
  },
  run: {
    usage: 'run <file> -- <agent…>',
    summary: 'run an agent on a task until it is done, and catch it when it loops',
    load: async () => loaded((await import('./run.ts')).run),
  },
  mcp: {
    usage: 'mcp -- <command…>',
    summary: 'wrap an MCP server and watch its tool calls',
    load: async () => loaded((await import('./mcp.ts')).mcp),
  },
  gateway: {
    summary: 'stand between any program and the API of its model, and break its loops',
    load: async () => loaded((await import('./gateway.ts')).gatewayCommand),
  },
  serve: {
    summary: 'start the dashboard and the API; accepts hooks, events and telemetry over HTTP',
    load: async () => loaded((await import('./serve.ts')).serve),
  },
  config: {
    summary: 'show the effective settings, and where each comes from',
    load: async () => loaded((await import('./config.ts')).config),
  },
  stats: {
    summary: 'count loops, plans and their outcomes',
    load: async () => loaded((await import('./stats.ts')).stats),
  },
  watch: {
    summary: 'watch running sessions live',
    load: async () => loaded((await import('./watch.ts')).watchCommand),
  },
};

/** Commands that most users never type, by audience; `unrut help --all` lists them. */
const HIDDEN: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  'For editors and screen agents': {
    acp: {
      usage: 'acp -- <agent…>',
      summary: 'stand between an editor and its ACP agent, and get the agent out of loops',
      load: async () => loaded((await import('./acp.ts')).acp),
    },
    cua: {
      usage: 'cua run <task.yaml>',
      summary: 'run a computer-use task in a browser, and break its loops',
      load: async () => loaded((await import('./cua.ts')).cua),
    },
  },
  'For those who look after what is recorded': {
    'ledger forget': {
      usage: 'ledger forget <session>',
      summary: 'delete a recorded session, or everything (`--all`)',
      load: async () => loaded((await import('./forget.ts')).forget),
    },
    'ledger export': {
      summary: 'write what is recorded as JSON Lines',
      load: async () => loaded((await import('./export.ts')).exportLedger),
    },
    'ledger import': {
      usage: 'ledger import <file>',
      summary: 'copy a ledger in SQLite into Postgres',
      load: async () => loaded((await import('./import-ledger.ts')).importLedger),
    },
    'ledger migrate': {
      summary: 'create or upgrade the tables of a ledger in Postgres',
      load: async () => loaded((await import('./migrate.ts')).migrateCommand),
    },
    'ledger upkeep': {
      summary: 'look after a ledger in Postgres: create the tables of the next days, drop old ones',
      load: async () => loaded((await import('./upkeep.ts')).upkeep),
    },
    key: {
      usage: 'key add|list|revoke',
      summary: 'manage the keys of those who may use unrut serve',
      load: async () => loaded((await import('./key.ts')).key),
    },
  },
  'For agents and shells, which call them': {
    hook: {
      summary: 'answer a hook of a coding agent (`unrut install` sets this up)',
      load: async () => loaded((await import('./hook.ts')).hook),
    },
    statusline: {
      summary: 'print one line about a session, for the status line of Claude Code',
      load: async () => loaded((await import('./statusline.ts')).statusline),
    },
    completion: {
      usage: 'completion <shell>',
      summary: 'print a script that completes commands and options (bash, zsh, fish)',
      load: async (program) => {
        const { completion } = await import('./completion.ts');
        const words = {
          commands: completedWords(),
          options: (name: string) => wordsAfter(name, program),
        };
        return { run: (args) => completion(args, words), options: completion.options };
      },
    },
  },
};

const COMMANDS: Readonly<Record<string, Command>> = Object.assign(
  {},
  VISIBLE,
  ...Object.values(HIDDEN),
);

/** Earlier names. They work, and say the new one on standard error. */
const RENAMED: Readonly<Record<string, { now: string; load: Command['load'] }>> = {
  replay: {
    now: 'show FILE',
    load: async () => loaded((await import('./replay.ts')).replay),
  },
  sessions: {
    now: 'show --list',
    load: async () => loaded((await import('./sessions.ts')).sessions),
  },
  log: { now: 'show --log', load: async () => loaded((await import('./log.ts')).log) },
  forgive: { now: 'false-alarm', load: VISIBLE['false-alarm']!.load },
  report: {
    now: 'false-alarm --report',
    load: async () => {
      const { falseAlarm } = await import('./false-alarm.ts');
      return {
        run: (args) => falseAlarm(['--report', ...args]),
        options: falseAlarm.options,
      };
    },
  },
  forget: { now: 'ledger forget', load: COMMANDS['ledger forget']!.load },
  export: { now: 'ledger export', load: COMMANDS['ledger export']!.load },
  'import-ledger': { now: 'ledger import', load: COMMANDS['ledger import']!.load },
  migrate: { now: 'ledger migrate', load: COMMANDS['ledger migrate']!.load },
  upkeep: { now: 'ledger upkeep', load: COMMANDS['ledger upkeep']!.load },
};

/**
 * Commands that agents answer in their prompt, and the command that does the same in a terminal.
 */
const IN_AGENTS: Readonly<Record<string, string>> = {
  status:
    'In a terminal, `unrut watch` and `unrut show --list` tell how it stands, and `unrut doctor` whether all is connected.',
  why: 'In a terminal, `unrut show` tells it.',
};

const LEDGER = 'ledger';
const ledgerCommands = Object.keys(COMMANDS).filter((name) => name.startsWith(`${LEDGER} `));

/** The first words after `unrut`: those of `unrut ledger` are one word. */
const completedWords = (): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(COMMANDS)
      .filter(([name]) => !name.includes(' '))
      .map(([name, { summary }]) => [name, summary]),
  ),
  [LEDGER]: 'look after what is recorded',
});

/** Options that a command declares; after `unrut ledger`, its commands too. */
async function wordsAfter(name: string, program: URL): Promise<readonly string[]> {
  const names = name === LEDGER ? ledgerCommands : [name];
  const words = new Set<string>(['--help']);
  for (const each of names) {
    if (name === LEDGER) words.add(each.slice(LEDGER.length + 1));
    const { options } = await COMMANDS[each]!.load(program);
    for (const option of Object.keys(options)) words.add(`--${option}`);
  }
  return [...words].sort();
}

const rows = (commands: Readonly<Record<string, Command>>): string =>
  Object.entries(commands)
    .map(([name, { usage = name, summary }]) => `  unrut ${usage.padEnd(23)}  ${summary}`)
    .join('\n');

const help = (
  isAll: boolean,
): string => `unrut: detect when an AI agent is stuck in a loop, and get it out

Usage
  unrut                          what loops cost you in the last seven days (\`--share\` to post it)
${rows(VISIBLE)}
${
  isAll
    ? Object.entries(HIDDEN)
        .map(([who, commands]) => `\n${who}\n${rows(commands)}\n`)
        .join('')
    : ''
}
  unrut <command> --help
  unrut help --all               ${isAll ? 'this list' : 'more commands: for teams, editors, screen agents and shells'}
  unrut --version

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
      if (rest[0] !== undefined && !rest[0].startsWith('-'))
        return run([...rest, '--help'], program);
      console.log(helpText(help(rest.includes('--all'))));
      return EXIT.ok;
    case '--help':
    case '-h':
      console.log(helpText(help(rest.includes('--all'))));
      return EXIT.ok;
  }
  if (command === undefined || command.startsWith('-')) {
    const { firstLook } = await import('./first-look.ts');
    const args = command === undefined ? [] : [command, ...rest];
    const { options } = firstLook;
    const load = async (): Promise<Loaded> => ({
      run: (given) => firstLook(given, { worker: program }),
      options,
    });
    return start({ load }, args, program);
  }
  if (command === LEDGER) {
    const name = `${LEDGER} ${rest[0]}`;
    if (rest[0] === '--help' || rest[0] === '-h') {
      console.log(helpText(`unrut ledger <command>\n\n${rows(onlyLedger())}`));
      return EXIT.ok;
    }
    if (Object.hasOwn(COMMANDS, name)) return start(COMMANDS[name]!, rest.slice(1), program);
    const names = ledgerCommands.map((each) => each.slice(LEDGER.length + 1));
    throw usageError(`ledger takes ${names.join(', ')}; got ${rest[0] ?? 'nothing'}.`);
  }
  const renamed = Object.hasOwn(RENAMED, command) ? RENAMED[command] : undefined;
  if (renamed) {
    complain(`unrut ${command} is now: unrut ${renamed.now}`);
    return start(renamed, rest, program);
  }
  if (!Object.hasOwn(COMMANDS, command)) {
    const guess = Object.hasOwn(IN_AGENTS, command)
      ? ` ${IN_AGENTS[command]}`
      : didYouMean(command, Object.keys(COMMANDS));
    throw usageError(`Unknown command \`${command}\`.${guess} Run \`unrut --help\` for the list.`);
  }
  // A hook prints no errors.
  if (command === 'hook') return (await COMMANDS.hook!.load(program)).run(rest);
  return start(COMMANDS[command]!, rest, program);
}

const onlyLedger = (): Record<string, Command> =>
  Object.fromEntries(ledgerCommands.map((name) => [name, COMMANDS[name]!]));

async function start(
  { load }: Pick<Command, 'load'>,
  args: readonly string[],
  program: URL,
): Promise<number> {
  if (!isSomewhere())
    throw new UnrutError(
      'unreadable',
      'The folder that you are in no longer exists. Go to another one and try again.',
    );
  Object.assign(process.env, secretsInFiles(process.env));
  return (await load(program)).run(args);
}

/**
 * Runs a command line and returns its exit code; errors are printed in one line. `program` is the
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

/** A session that is not in this ledger may be in that of a server. */
function told({ code, message }: UnrutError): string {
  const hint = code === 'unknown-session' || code === 'no-alarm' ? elsewhere() : undefined;
  return hint === undefined || message.includes(hint) ? message : `${message} ${hint}`;
}
