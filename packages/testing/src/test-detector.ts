import type { Detector } from '@unrut/engine/detectors/detector';
import { createGuard, type Guard } from '@unrut/engine/guard';
import { recommended } from '@unrut/engine/presets';
import { type Case, check } from './case.ts';
import { momentsOf, type Trace, tracesIn } from './trace.ts';

/**
 * A detector's README as tests: every trace is run with this detector alone, through the guard, and
 * again with a restart after every event. Besides, it must stay quiet in a long run in which every
 * step makes progress.
 */
export function testDetector(detector: Detector, readme: string): Case[] {
  const traces = tracesIn(readme);
  return [
    {
      name: `${detector.name}: its README has firing and quiet traces, each quiet one the twin of a firing one`,
      run: () => checkTwins(traces),
    },
    ...traces.map((trace) => ({
      name: `${detector.name} ${trace.fires ? 'fires' : 'stays quiet'}: ${trace.name}`,
      run: () => {
        follow(detector, trace, (guard) => guard);
        follow(detector, trace, (guard, restart) => restart(guard));
      },
    })),
    {
      name: `${detector.name}: stays quiet while every step makes progress`,
      run: () => checkProgress(detector),
    },
    {
      name: `${detector.name}: its state before the first step is plain JSON, its moves are parts of a sentence`,
      run: () => checkState(detector),
    },
  ];
}

function checkTwins(traces: readonly Trace[]): void {
  check(
    traces.some((trace) => trace.fires),
    'expected at least one trace under Fires',
  );
  check(
    traces.some((trace) => !trace.fires),
    'expected at least one trace under Stays quiet',
  );
  for (const trace of traces) {
    const marked = trace.lines.some((line) => / ! [\w-]+\s*$/.test(line));
    check(
      marked === trace.fires,
      `${trace.name}: ${trace.fires ? 'a firing trace marks where it fires' : 'a quiet trace marks nothing'}`,
    );
    if (trace.fires) continue;
    const twin = traces.find((each) => each.fires && each.name === trace.twin);
    check(twin, `${trace.name}: expected \`twin of <a firing trace>\`, got ${trace.twin}`);
    check(
      opening(twin.lines[0]!) === opening(trace.lines[0]!),
      `${trace.name}: must begin as its twin ${twin.name} does`,
    );
  }
}

/** The first line without its repeat and its mark. */
const opening = (line: string): string =>
  line.replace(/\s+! [\w-]+\s*$/, '').replace(/\s+x\d+$/, '');

/**
 * A README says what its detector sees, so its traces are run as if a witness could speak alone.
 */
export const asSpeaker = (detector: Detector): Detector =>
  detector.status === 'witness' ? { ...detector, status: 'stable' } : detector;

function follow(
  detector: Detector,
  trace: Trace,
  between: (guard: Guard, restart: (guard: Guard) => Guard) => Guard,
): void {
  const preset = { ...recommended, detectors: [asSpeaker(detector)] };
  const restart = (guard: Guard): Guard =>
    createGuard({ preset, from: JSON.parse(JSON.stringify(guard.snapshot())) });
  let guard = createGuard({ preset });
  for (const [i, { line, events, expected }] of momentsOf(trace.lines).entries()) {
    const variants: string[] = [];
    for (const event of events) {
      const { signals, faults } = guard.observe(event);
      check(
        faults.length === 0,
        `${trace.name}, event ${i + 1} (${line}): ${faults[0]?.where}: ${faults[0]?.message}`,
      );
      variants.push(...signals.map((signal) => signal.variant));
      for (const { text } of signals)
        check(
          /^[^A-Z\n][^\n]*[^.\s]$/.test(text),
          `explain should give part of a sentence, got: ${text}`,
        );
      guard = between(guard, restart);
    }
    check(
      expected === null ? variants.length === 0 : variants.includes(expected),
      `${trace.name}, event ${i + 1} (${line}): expected ${expected ?? 'nothing'}, got ${variants.join(', ') || 'nothing'}`,
    );
  }
}

const SOUNDS = ['ba', 'ce', 'di', 'fo', 'gu', 'la', 'me', 'ni', 'po', 'ru'];
/** Another word for each number. */
const word = (number: number): string =>
  [...String(1000 + number)].map((digit) => SOUNDS[Number(digit)]).join('');
/** Six words that stand in no other text. */
const words = (text: number): string =>
  Array.from({ length: 6 }, (_, i) => word(6 * text + i)).join(' ');

/**
 * Trace lines for one step of each kind of work; the next step of that kind brings something new
 * again.
 */
const KINDS_OF_WORK: readonly ((i: number) => string)[] = [
  (i) => `Read {"file_path":"/repo/${word(i)}.md"} -> "${words(i)}"`,
  (i) =>
    `Edit {"file_path":"/repo/${word(i)}.md","old_string":"${words(i)}","new_string":"${words(20 + i)}"} -> "The file was updated."`,
  (i) =>
    `Edit {"file_path":"/repo/a.md","old_string":"${words(39 + i)}","new_string":"${words(40 + i)}"} -> "The file was updated."`,
  (i) =>
    `patchWidget {"spaceId":"main","widgetId":"clock","patch":"${words(60 + i)}"} -> "The widget was patched."`,
  (i) => `Bash {"command":"npm test"} -> exit 1 "Tests  ${20 - i} failed | ${5 + i} passed (25)"`,
  (i) => `search_web {"query":"lamps","page":${i}} -> "${words(80 + i)}"`,
  (i) =>
    `action {"type":"click","x":${40 * i},"y":210} on button "${word(i)}" -> screen {"detail":"${words(100 + i)}"}`,
];
const STEPS_OF_EACH = 12;

/** Whoever makes progress at every step is in no loop; only the variants of `advises` may speak. */
function checkProgress(detector: Detector): void {
  const guard = createGuard({ preset: { ...recommended, detectors: [asSpeaker(detector)] } });
  const lines = KINDS_OF_WORK.flatMap((lineOf) =>
    Array.from({ length: STEPS_OF_EACH }, (_, i) => lineOf(i)),
  );
  for (const { line, events } of momentsOf(lines)) {
    for (const event of events) {
      const { signals, seen } = guard.observe(event);
      check(
        !seen?.result || seen.progress,
        `expected progress at every step of honest work, got none: ${line}`,
      );
      const loop = signals.find(({ variant }) => !detector.advises?.includes(variant));
      check(
        !loop,
        `expected silence while every step makes progress, or ${loop?.variant} in \`advises\`; it spoke at: ${line}`,
      );
    }
  }
}

function checkState(detector: Detector): void {
  const state = detector.start();
  check(
    JSON.stringify(JSON.parse(JSON.stringify(state))) === JSON.stringify(state),
    'start() must give plain JSON',
  );
  const moves = typeof detector.moves === 'function' ? [] : detector.moves;
  for (const move of moves)
    check(/^[^A-Z].*[^.\s]$/.test(move), `a move should be part of a sentence, got: ${move}`);
  check(
    detector.start() !== state || typeof state !== 'object',
    'start() must give a new state each time',
  );
}
