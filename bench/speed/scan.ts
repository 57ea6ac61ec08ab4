import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scan } from '../../src/scan/scan.ts';
import { median } from './median.ts';
import { writeTranscript } from './transcript.ts';

const FILES = 4;
const MEGABYTES = 12;
const ROUNDS = 5;

const timed = async (work: () => unknown): Promise<number> => {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e6;
};

/** Scanning transcripts on one thread and on two, against JSON.parse of the same lines; medians of rounds in which the three take turns. */
export async function measureScan() {
  const folder = mkdtempSync(join(tmpdir(), 'unrut-bench-'));
  try {
    const paths = Array.from({ length: FILES }, (_, i) => join(folder, `session-${i}.jsonl`));
    for (const [i, path] of paths.entries()) writeTranscript(path, MEGABYTES << 20, `session-${i}`);
    const lines = paths.flatMap((path) => readFileSync(path, 'utf8').trimEnd().split('\n'));
    const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
    const worker = new URL('../../src/cli/main.ts', import.meta.url);
    const ways: [string, () => unknown][] = [
      ['JSON.parse', () => lines.forEach((line) => void JSON.parse(line))],
      ['scan, 1 thread', () => scan({ paths: [folder], jobs: 1 })],
      ['scan, 2 threads', () => scan({ paths: [folder], jobs: 2, worker })],
    ];
    const times = ways.map((): number[] => []);
    for (let round = 0; round < ROUNDS; round++) for (const [i, [, work]] of ways.entries()) times[i]!.push(await timed(work));
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
