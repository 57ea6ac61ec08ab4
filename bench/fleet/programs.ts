import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundlePrograms, root } from '../../scripts/build.ts';

/** A program that was started for the bench. */
export interface BenchProgram {
  url: string;
  /** Seconds of processor time so far. */
  cpu(): number;
  /** Bytes. */
  memory(): number;
  kill(): void;
}

const TICKS = 100;

/** Of a process, by the system's own count. */
function ticksOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}

/**
 * Seconds of processor time of a Postgres and the processes that it has started, those that have
 * ended among them.
 */
export function cpuOfPostgres(folder: string): number {
  const pid = Number(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0]);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return (
          readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ')[1] === String(pid)
        );
      } catch {
        return false;
      }
    });
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  const ended = Number(fields[13]) + Number(fields[14]);
  return (
    ([pid, ...children.map(Number)].reduce((sum, each) => sum + ticksOf(each), 0) + ended) / TICKS
  );
}

let bundled: Promise<string> | undefined;

async function bundle(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'unrut-bench-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  await bundlePrograms(folder);
  return join(folder, 'cli.js');
}

/** `unrut serve` as it is published, on a file or a database. */
export async function startUnrut(ledger: string): Promise<BenchProgram> {
  bundled ??= bundle();
  return start([await bundled, 'serve', '--port', '0', '--rate', '1000000'], ledger);
}

/** A handler of the same stack that does one INSERT. */
export const startBare = (ledger: string): Promise<BenchProgram> =>
  start([join(root, 'bench/fleet/bare-server.ts')], ledger);

async function start(args: readonly string[], ledger: string): Promise<BenchProgram> {
  const home = mkdtempSync(join(tmpdir(), 'unrut-bench-home-'));
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, UNRUT_HOME: home, UNRUT_LEDGER: ledger },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout!, 'data')) as [Buffer];
  return {
    url: /http:\/\/[^,\s]+/.exec(said.toString())![0],
    cpu: () => ticksOf(child.pid!) / TICKS,
    memory: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) * 1024,
    kill: () => void child.kill('SIGKILL'),
  };
}
