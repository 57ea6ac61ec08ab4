import type {
  ScannedLoop,
  ScanReport,
  StepShown,
  Trajectory,
} from '@unrut/ledger/report/scan-report';

/** 2026-03-04 09:00 UTC. */
const MORNING = 1_772_614_800_000;
const SECONDS_A_STEP = 14;

type Sketch = Pick<Trajectory, 'id' | 'file' | 'format' | 'timeline'> & {
  tokens?: number;
  usd?: number;
  skipped?: number;
  loops?: ScannedLoop[];
};

/** A run whose sums follow from its timeline and loops. */
export function run({
  id,
  file,
  format,
  timeline,
  tokens,
  usd,
  skipped = 0,
  loops = [],
}: Sketch): Trajectory {
  const steps = timeline.length;
  const wastedSteps = loops.reduce((sum, loop) => sum + loop.wastedSteps, 0);
  const part = wastedSteps / steps;
  return {
    id,
    file,
    format,
    steps,
    skipped,
    from: MORNING,
    to: MORNING + steps * SECONDS_A_STEP * 1000,
    ...(tokens === undefined ? {} : { tokens, wastedTokens: Math.round(tokens * part) }),
    ...(usd === undefined ? {} : { usd, wastedUsd: usd * part }),
    wastedSteps,
    loops,
    signals: loops.map(({ detector, variant, firedAt, rung, strength }) => ({
      detector,
      variant,
      step: firedAt,
      rung,
      strength,
    })),
    trial: [],
    spoke: [],
    timeline,
  };
}

/** A loop from its essential fields; all of it but a first lap of one step is wasted. */
export function loop(
  given: Partial<ScannedLoop> &
    Pick<ScannedLoop, 'detector' | 'start' | 'firedAt' | 'end' | 'text' | 'repeats'>,
): ScannedLoop {
  const wastedSteps = given.wastedSteps ?? given.end - given.start;
  return {
    id: `${given.detector}-${given.start}`,
    variant: 'consecutive',
    also: [],
    advice: false,
    rung: 'note',
    count: given.repeats.length,
    strength: 0.9,
    wastedTokens: wastedSteps * 2140,
    wastedUsd: wastedSteps * 0.021,
    plans: [],
    ...given,
    wastedSteps,
  };
}

/** A step from its essential fields. */
export function step(
  at: number,
  what: string,
  input: string,
  output: string,
  brought = '',
): StepShown {
  return { step: at, at: MORNING + at * SECONDS_A_STEP * 1000, what, brought, input, output };
}

/** A whole report, with sums as a scan makes them. */
export function report(
  trajectories: Trajectory[],
  problems: ScanReport['problems'] = [],
): ScanReport {
  const sum = (of: (each: Trajectory) => number | undefined): number =>
    trajectories.reduce((total, each) => total + (of(each) ?? 0), 0);
  return {
    version: 1,
    totals: {
      files: trajectories.length + problems.filter(({ fatal }) => fatal).length,
      unread: problems.filter(({ fatal }) => fatal).length,
      trajectories: trajectories.length,
      steps: sum(({ steps }) => steps),
      looping: trajectories.filter(({ loops }) => loops.some(({ advice }) => !advice)).length,
      loops: sum(({ loops }) => loops.length),
      signals: sum(({ signals }) => signals.length),
      wastedSteps: sum(({ wastedSteps }) => wastedSteps),
      tokens: sum(({ tokens }) => tokens),
      wastedTokens: sum(({ wastedTokens }) => wastedTokens),
      usd: sum(({ usd }) => usd),
      wastedUsd: sum(({ wastedUsd }) => wastedUsd),
    },
    trajectories,
    problems,
  };
}

/** This many runs of this many steps, every second one with this many consecutive loops. */
export function largeReport(size: { runs: number; steps: number; loops: number }): ScanReport {
  const length = Math.floor(size.steps / (size.loops + 1));
  return report(
    Array.from({ length: size.runs }, (_, i) =>
      run({
        id: `run number ${i}`,
        file: `/home/dev/project/${i}.jsonl`,
        format: 'neutral-steps',
        timeline: 'n-ew'.repeat(Math.ceil(size.steps / 4)).slice(0, size.steps),
        loops: Array.from({ length: i % 2 === 0 ? size.loops : 0 }, (_, j) =>
          loop({
            detector: 'repeated-call',
            start: j * length,
            firedAt: j * length + 2,
            end: j * length + Math.min(9, length - 1),
            wastedSteps: 1 + ((i + j) % 8),
            text: `\`fetch\` was called the same way again, loop ${j}`,
            repeats: [0, 1, 2].map((k) =>
              step(
                j * length + k,
                'fetch page',
                `{"page":${k}}`,
                'the page text. '.repeat(40) + k,
                'nothing new',
              ),
            ),
          }),
        ),
      }),
    ),
  );
}
