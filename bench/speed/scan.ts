import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, root } from '../../scripts/build.ts';
import { median } from './median.ts';
import { writeTranscript } from './transcript.ts';

const FILES = 6;
const MEGABYTES = 24;
const ROUNDS = 5;

function timed(work: () => void): number {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/** What anybody would have to do with these files. */
function parseLines(paths: readonly string[]): void {
  for (const path of paths) for (const line of readFileSync(path, 'utf8').trimEnd().split('\n')) JSON.parse(line);
}

/** The built command, in a process of its own: what users run. */
function scanWith(threads: number, folder: string): void {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'dist/cli.js'), 'scan', '--json', '--jobs', String(threads), folder], {
    maxBuffer: 1 << 30,
  });
  if (status !== 0 && status !== 1) throw new Error(`The scan ended with ${status}: ${String(stderr)}`);
}

/** Scanning transcripts on one thread and on two, against JSON.parse of the same files; medians of rounds in which the three take turns. */
export async function measureScan() {
  await build();
  const folder = mkdtempSync(join(tmpdir(), 'unrut-bench-'));
  try {
    const paths = Array.from({ length: FILES }, (_, i) => join(folder, `session-${i}.jsonl`));
    for (const [i, path] of paths.entries()) writeTranscript(path, MEGABYTES << 20, `session-${i}`);
    const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
    const ways: [string, () => void][] = [
      ['JSON.parse', () => parseLines(paths)],
      ['scan, 1 thread', () => scanWith(1, folder)],
      ['scan, 2 threads', () => scanWith(2, folder)],
    ];
    const times = ways.map((): number[] => []);
    for (let round = 0; round < ROUNDS; round++) for (const [i, [, work]] of ways.entries()) times[i]!.push(timed(work));
    const middle = times.map(median);
    return ways.map(([way], i) => ({
      way,
      'MB per s': Math.round(bytes / 1e3 / middle[i]!),
      '× JSON.parse': Math.round((middle[0]! / middle[i]!) * 100) / 100,
      '× 1 thread': Math.round((middle[1]! / middle[i]!) * 100) / 100,
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
