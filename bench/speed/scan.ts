import { spawnSync } from 'node:child_process';
import { linkSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, root } from '../../scripts/build.ts';
import { writeTranscript } from './transcript.ts';

const FILES = 10;
const MEGABYTES = 24;
/** Each file is read this often under other names: what a thread spends on compiling must not count for much. */
const COPIES = 4;
const ROUNDS = 3;

function timed(work: () => void): number {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/** What anybody would have to do with these files. */
function parseLines(paths: readonly string[]): void {
  for (const path of paths) for (const line of readFileSync(path, 'utf8').trimEnd().split('\n')) JSON.parse(line);
}

function copyOf(path: string, copy: number): string {
  const name = path.replace('.jsonl', `-${copy}.jsonl`);
  linkSync(path, name);
  return name;
}

/** The built command, in a process of its own: what users run. */
function scanWith(threads: number, folder: string): void {
  const command = [process.execPath, join(root, 'dist/cli.js'), 'scan', '--json', '--jobs', String(threads), folder];
  // One thread on one core, where that can be said: else the collector of garbage takes another.
  if (threads === 1 && process.platform === 'linux') command.unshift('taskset', '-c', '0');
  const { status, stderr, error } = spawnSync(command[0]!, command.slice(1), { maxBuffer: 1 << 30 });
  if (error) throw error;
  if (status !== 0 && status !== 1) throw new Error(`The scan ended with ${status}: ${String(stderr)}`);
}

/** Scanning transcripts on one core and on two, against JSON.parse of the same files; the best of rounds in which the three take turns. */
export async function measureScan() {
  await build();
  const folder = mkdtempSync(join(tmpdir(), 'unrut-bench-'));
  try {
    const paths = Array.from({ length: FILES }, (_, i) => join(folder, `session-${i}.jsonl`));
    for (const [i, path] of paths.entries()) writeTranscript(path, MEGABYTES << 20, `session-${i}`);
    for (const path of [...paths]) for (let copy = 1; copy < COPIES; copy++) paths.push(copyOf(path, copy));
    const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
    const ways: [string, () => void][] = [
      ['JSON.parse', () => parseLines(paths)],
      ['scan, 1 core', () => scanWith(1, folder)],
      ['scan, 2 cores', () => scanWith(2, folder)],
    ];
    const times = ways.map((): number[] => []);
    for (let round = 0; round < ROUNDS; round++) for (const [i, [, work]] of ways.entries()) times[i]!.push(timed(work));
    const best = times.map((each) => Math.min(...each));
    return ways.map(([way], i) => ({
      way,
      'MB per s': Math.round(bytes / 1e3 / best[i]!),
      '× JSON.parse': Math.round((best[0]! / best[i]!) * 100) / 100,
      '× 1 core': Math.round((best[1]! / best[i]!) * 100) / 100,
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Peak memory of a scan of one transcript of this size, in a process of its own. */
export function measureHugeFile(bytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'unrut-bench-'));
  try {
    const path = join(folder, 'huge.jsonl');
    const calls = writeTranscript(path, bytes, 'huge');
    const { stdout, stderr, status } = spawnSync(process.execPath, [fileURLToPath(new URL('peak.ts', import.meta.url)), path], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`The scan of a huge file ended with ${status}: ${stderr}`);
    const { megabytes, steps } = JSON.parse(stdout) as { megabytes: number; steps: number };
    return { 'file in MB': Math.round(statSync(path).size / 1e6), calls, steps, 'peak memory in MB': megabytes };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
