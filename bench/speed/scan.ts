import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, root } from '../../scripts/build.ts';
import { median, rounded } from './median.ts';
import { writeTranscript } from './transcript.ts';

const FILES = 10;
const MEGABYTES = 24;
/**
 * Each file is read this often under other names: what a thread spends on compiling must not count
 * for much.
 */
const COPIES = 4;
const ROUNDS = 5;

function copyOf(path: string, copy: number): string {
  const name = path.replace('.jsonl', `-${copy}.jsonl`);
  linkSync(path, name);
  return name;
}

/**
 * Runs commands concurrently, each on its own core if possible (otherwise the garbage collector
 * uses another one), and waits for all.
 */
async function run(...commands: (readonly string[])[]): Promise<void> {
  const pin = (core: number): string[] =>
    process.platform === 'linux' ? ['taskset', '-c', String(core)] : [];
  await Promise.all(commands.map((command, core) => finished([...pin(core), ...command])));
}

async function finished([program, ...args]: readonly string[]): Promise<void> {
  const child = spawn(program!, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0)
    throw new Error(`${[program, ...args].slice(0, 4).join(' ')} ended with ${status}`);
}

const parse = (paths: readonly string[]): string[] => [
  process.execPath,
  fileURLToPath(new URL('parse.ts', import.meta.url)),
  ...paths,
];

/** The built command, in a process of its own: what users run. */
const scan = (threads: number, ...folders: string[]): string[] => [
  process.execPath,
  join(root, 'dist/cli.js'),
  'scan',
  '--json',
  '--exit-zero',
  '--jobs',
  String(threads),
  ...folders,
];

/**
 * Scans transcripts on one core and on two, compared with JSON.parse of the same files on one. Two
 * concurrent runs of each, with half of the files, show the gain of this machine's second core.
 * They alternate; figures are medians over the rounds.
 */
export async function measureScan() {
  await build();
  const folder = mkdtempSync(join(tmpdir(), 'unrut-bench-'));
  try {
    const halves = [join(folder, 'a'), join(folder, 'b')] as const;
    for (const half of halves) mkdirSync(half);
    const paths = Array.from({ length: FILES }, (_, i) =>
      join(halves[i % 2]!, `session-${i}.jsonl`),
    );
    for (const [i, path] of paths.entries()) writeTranscript(path, MEGABYTES << 20, `session-${i}`);
    for (const path of [...paths])
      for (let copy = 1; copy < COPIES; copy++) paths.push(copyOf(path, copy));
    const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
    const [some, others] = halves.map((half) => paths.filter((path) => path.startsWith(half))) as [
      string[],
      string[],
    ];
    const ways: { way: string; alone: number; work(): Promise<void> }[] = [
      { way: 'JSON.parse, 1 core', alone: 0, work: () => run(parse(paths)) },
      { way: 'two of JSON.parse, 2 cores', alone: 0, work: () => run(parse(some), parse(others)) },
      { way: 'scan, 1 core', alone: 2, work: () => run(scan(1, ...halves)) },
      { way: 'scan, 2 cores', alone: 2, work: () => finished(scan(2, ...halves)) },
      {
        way: 'two scans, 2 cores',
        alone: 2,
        work: () => run(scan(1, halves[0]), scan(1, halves[1])),
      },
    ];
    const rounds: number[][] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const times: number[] = [];
      for (const { work } of ways) times.push(await timed(work));
      rounds.push(times);
    }
    const ratio = (of: number, to: number): number =>
      rounded(median(rounds.map((times) => times[of]! / times[to]!)));
    return ways.map(({ way, alone }, i) => ({
      way,
      'MB per s': Math.round(bytes / 1e3 / median(rounds.map((times) => times[i]!))),
      '× JSON.parse': ratio(0, i),
      '× 1 core': ratio(alone, i),
      '× two scans': ratio(4, i),
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Peak memory of a scan of one transcript of this size, in a process of its own. */
export function measureHugeFile(bytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'unrut-bench-'));
  try {
    const path = join(folder, 'huge.jsonl');
    const calls = writeTranscript(path, bytes, 'huge');
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [fileURLToPath(new URL('peak.ts', import.meta.url)), path],
      {
        encoding: 'utf8',
      },
    );
    if (status !== 0) throw new Error(`The scan of a huge file ended with ${status}: ${stderr}`);
    const { megabytes, steps } = JSON.parse(stdout) as { megabytes: number; steps: number };
    return {
      'file in MB': Math.round(statSync(path).size / 1e6),
      calls,
      steps,
      'peak memory in MB': megabytes,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
