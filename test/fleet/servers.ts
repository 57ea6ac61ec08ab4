import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { bundledPrograms } from '../bundled-programs.ts';
import { newFolder } from '../ledger-files.ts';

const ROOT = join(import.meta.dirname, '../..');

/** `unrut serve` as a process of its own. */
export interface FleetServer {
  readonly url: string;
  readonly pid: number;
  /** Whether it is still there. */
  readonly isUp: boolean;
  /** All that it has written to its log. */
  readonly log: string;
  /** Ends it as a crash does, and waits for its end. */
  kill(): Promise<void>;
  /** Starts it again, at the same address. */
  restart(): Promise<void>;
  /** Asks it to end in order, and gives its exit code. */
  stop(): Promise<number | null>;
}

export interface ServerOptions {
  /** The address of the database. */
  ledger: string;
  /** Another program than that of this version. */
  cli?: string;
  env?: Record<string, string>;
  args?: readonly string[];
}

/** Starts a server on a database. It is killed after the test. */
export async function startFleetServer({
  ledger,
  cli,
  env = {},
  args = [],
}: ServerOptions): Promise<FleetServer> {
  const program = cli ?? bundledPrograms().cli;
  const home = newFolder();
  let port = 0;
  let log = '';
  let child: ChildProcess;

  async function start(): Promise<void> {
    // Unbundled modules are found relative to the folder.
    child = spawn(process.execPath, [program, 'serve', '--port', String(port), ...args], {
      cwd: ROOT,
      env: { ...process.env, UNRUT_HOME: home, UNRUT_LEDGER: ledger, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stderr!.on('data', (data: Buffer) => {
      log += data;
    });
    const said = await Promise.race([
      once(child.stdout!, 'data'),
      once(child, 'close').then(() => undefined),
    ]);
    if (!said) throw new Error(`The server did not start: ${log}`);
    port = Number(/https?:\/\/[^,\s]+:(\d+)/.exec(String(said[0]))![1]);
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const ended = once(child, 'close');
    child.kill(signal);
    await ended;
    return child.exitCode;
  }

  await start();
  onTestFinished(async () => void (await end('SIGKILL')));
  return {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    get pid() {
      return child.pid!;
    },
    get isUp() {
      return child.exitCode === null && child.signalCode === null;
    },
    get log() {
      return log;
    },
    kill: async () => void (await end('SIGKILL')),
    restart: start,
    stop: () => end('SIGTERM'),
  };
}
