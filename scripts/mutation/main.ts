import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../build.ts';
import { type Mutant, makeBundle } from './bundle.ts';
import { subjects } from './subjects.ts';
import type { ReachedTest, Report, Task } from './worker.ts';

type Outcome = 'killed' | 'survived' | 'timeout' | 'unreached';
type Reached = Extract<Report, { type: 'reached' }>;

/**
 * A mutant that passes a point this many times as often as the original code is in an endless loop.
 */
const HIT_FACTOR = 100;
/** Memory of old evaluations is not all given back. */
const MUTANTS_PER_PROCESS = 150;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    from: { type: 'string', default: '0' },
    to: { type: 'string', default: 'Infinity' },
    workers: { type: 'string', default: '2' },
  },
});
const subject = subjects[positionals[0] ?? ''];
if (!subject) throw new Error(`Name what to mutate: ${Object.keys(subjects).join(' or ')}.`);

const folder = mkdtempSync(join(tmpdir(), 'unrut-mutants-'));
const [code, noting] = [join(folder, 'code.cjs'), join(folder, 'noting.cjs')];
const bundle = await makeBundle(subject);
writeFileSync(code, bundle.code);
writeFileSync(noting, bundle.noting);
const mutants = bundle.mutants.slice(Number(values.from), Number(values.to));

const { always, tests } = await reach();
const usable = tests
  .filter(({ failed }) => !failed)
  .sort((a, b) => a.milliseconds - b.milliseconds);
for (const { id, failed } of tests)
  if (failed) console.log(`left out, since it fails without a mutant: ${id}`);
console.log(`${mutants.length} mutants against ${usable.length} tests`);

const outcomes: Outcome[] = [];
const queue = [...mutants];
await Promise.all(Array.from({ length: Number(values.workers) }, work));
rmSync(folder, { recursive: true });
report();

/** Runs all tests with no mutant. */
async function reach(): Promise<Reached> {
  const worker = start();
  const answer = await ask(worker, { bundle: noting, without: subject!.without.source });
  worker.kill('SIGKILL');
  if (answer?.type !== 'reached') throw new Error('The tests did not end.');
  return answer;
}

async function work(): Promise<void> {
  let worker = start();
  for (let mutant = queue.shift(), tried = 1; mutant; mutant = queue.shift(), tried++) {
    const chosen = testsFor(mutant);
    if (chosen.length === 0) {
      note(mutant, 'unreached');
      continue;
    }
    const task = {
      bundle: code,
      mutant: mutant.id,
      tests: chosen.map((test) => test.id),
      hitLimit: hitLimit(mutant, chosen),
    };
    const answer = await ask(worker, task);
    note(mutant, answer?.type === 'tried' ? answer.outcome : 'timeout');
    if (answer && tried % MUTANTS_PER_PROCESS !== 0) continue;
    worker.kill('SIGKILL');
    worker = start();
  }
  worker.kill('SIGKILL');
}

function start(): ChildProcess {
  return fork(join(root, 'scripts/mutation/worker.ts'), {
    execArgv: ['--max-old-space-size=2000'],
    stdio: 'ignore',
  });
}

/** The worker's word on a task, or null if it dies: by its watchdog, or for want of memory. */
function ask(worker: ChildProcess, task: Task): Promise<Report | null> {
  return new Promise((resolve) => {
    const end = (report: Report | null): void => {
      worker.removeAllListeners();
      resolve(report);
    };
    worker.on('message', (report: Report) => end(report));
    worker.on('exit', () => end(null));
    worker.send(task);
  });
}

/**
 * What a mutant changes at load can show in any test, and does so first in those that reach its
 * file.
 */
function testsFor({ id, file }: Mutant): ReachedTest[] {
  const reaching = usable.filter(({ hits }) => id in hits);
  if (!(id in always)) return reaching;
  const neighbours = new Set(
    mutants.filter((mutant) => mutant.file === file).map((mutant) => mutant.id),
  );
  const near = usable.filter(({ hits }) => Object.keys(hits).some((hit) => neighbours.has(hit)));
  return [...new Set([...reaching, ...near, ...usable])];
}

function hitLimit({ id }: Mutant, chosen: ReachedTest[]): number {
  return HIT_FACTOR * chosen.reduce((sum, { hits }) => sum + (hits[id] ?? 0), always[id] ?? 0);
}

function note({ file, line, mutator, original, replacement }: Mutant, outcome: Outcome): void {
  outcomes.push(outcome);
  if (outcome === 'survived' || outcome === 'unreached')
    console.log(
      `${file}:${line} ${outcome}: ${mutator}\n  - ${shown(original)}\n  + ${shown(replacement)}`,
    );
  if (outcomes.length % 50 === 0) console.log(summary());
}

function count(...of: Outcome[]): number {
  return outcomes.filter((outcome) => of.includes(outcome)).length;
}

function score(): number {
  return (100 * count('killed', 'timeout')) / outcomes.length;
}

function summary(): string {
  return (
    `${score().toFixed(1)} % of ${outcomes.length} killed: ${count('killed')} by a test, ${count('timeout')} without end; ` +
    `${count('survived')} survived, ${count('unreached')} reached by no test`
  );
}

function report(): void {
  console.log(
    `${summary()}; ${mutants.filter(({ id }) => id in always).length} of them act at load`,
  );
  if (score() >= subject!.threshold) return;
  console.log(`fewer than ${subject!.threshold} %`);
  process.exitCode = 1;
}

function shown(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 140 ? `${line.slice(0, 140)}…` : line;
}
