import { UnrutError } from '../errors.ts';
import { whyOf } from '../redact/reason.ts';
import { printable } from '../text/printable.ts';
import { EXIT, usageError } from './exit.ts';
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
    summary: 'find the loops in recorded runs of agents, and what they cost',
    load: async (program) => {
      const { scan } = await import('./scan.ts');
      return (args) => scan(args, { worker: program });
    },
  },
  explain: {
    usage: 'explain <file>',
    summary: 'why something in a run was called a loop, or was not',
    load: async () => (await import('./explain.ts')).explain,
  },
  replay: {
    usage: 'replay <file.jsonl>',
    summary: 'show, step by step, what the guard sees in a run recorded as events, and what it would do',
    load: async () => (await import('./replay.ts')).replay,
  },
  install: {
    usage: 'install <agent…>',
    summary: 'connect coding agents, so that they are told when they loop',
    load: async () => (await import('./install.ts')).install,
  },
  uninstall: {
    usage: 'uninstall <agent…>',
    summary: 'take it out of their settings again',
    load: async () => (await import('./uninstall.ts')).uninstall,
  },
  doctor: {
    summary: 'see which agents are connected, and whether their hooks work',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  hook: {
    summary: 'answer a hook of a coding agent; unrut install writes it into their settings',
    load: async () => (await import('./hook.ts')).hook,
  },
  mcp: {
    usage: 'mcp -- <command…>',
    summary: 'stand between an MCP client and a server, and watch the tool calls',
    load: async () => (await import('./mcp.ts')).mcp,
  },
  run: {
    usage: 'run <file> -- <agent…>',
    summary: 'run an agent on a task until it is done, and notice when it goes round in circles',
    load: async () => (await import('./run.ts')).run,
  },
  config: {
    summary: 'show which settings are in force, and where each comes from',
    load: async () => (await import('./config.ts')).config,
  },
  sessions: {
    summary: 'list the sessions of agents that were recorded',
    load: async () => (await import('./sessions.ts')).sessions,
  },
  show: {
    usage: 'show <session>',
    summary: 'what happened in a session, step by step, and what was done about it',
    load: async () => (await import('./show.ts')).show,
  },
  log: {
    summary: 'print what was recorded, an entry a line; --follow goes on',
    load: async () => (await import('./log.ts')).log,
  },
  stats: {
    summary: 'count loops, plans and what came of them',
    load: async () => (await import('./stats.ts')).stats,
  },
  watch: {
    summary: 'see running sessions live',
    load: async () => (await import('./watch.ts')).watch,
  },
  serve: {
    summary: 'a page and an API that show every agent; takes hooks, events and telemetry over HTTP',
    load: async () => (await import('./serve.ts')).serve,
  },
  forget: {
    usage: 'forget <session>',
    summary: 'delete what was recorded of a session, or --all',
    load: async () => (await import('./forget.ts')).forget,
  },
  cua: {
    usage: 'cua run <task.yaml>',
    summary: 'run a computer-use task in a browser, and break its loops',
    load: async () => (await import('./cua.ts')).cua,
  },
};

const help = (): string => `unrut: notices when an AI agent is going round in circles

Usage
${Object.entries(COMMANDS)
  .map(([name, { usage = name, summary }]) => `  unrut ${usage.padEnd(20)}  ${summary}`)
  .join('\n')}
  unrut --version
  unrut <command> --help

Exit codes: 0 nothing loops, 1 something loops, 2 something could not be read, 64 wrong usage.`;

async function run([command, ...rest]: readonly string[], program: URL): Promise<number> {
  switch (command) {
    case '--version':
    case '-v':
      console.log(version());
      return EXIT.ok;
    case undefined:
    case '--help':
    case '-h':
    case 'help':
      console.log(help());
      return EXIT.ok;
  }
  if (!Object.hasOwn(COMMANDS, command))
    throw usageError(`There is no command ${command}. Commands: ${Object.keys(COMMANDS).join(', ')}. See unrut --help.`);
  return (await COMMANDS[command]!.load(program))(rest);
}

/** Runs a command line and gives its exit code; what is wrong is said in one line. `program` is the file that threads run. */
export async function runCommand(args: readonly string[], program: URL): Promise<number> {
  try {
    return await run(args, program);
  } catch (error) {
    // Names of files may hold anything.
    console.error(printable(error instanceof UnrutError ? error.message : `[unrut] It cannot go on: ${whyOf(error)}.`));
    return error instanceof UnrutError && error.code === 'usage' ? EXIT.usage : EXIT.unreadable;
  }
}
