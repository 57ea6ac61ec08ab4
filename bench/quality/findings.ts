import { type Alarm, alarmsOf, atLevel, isAlarm, type Judgement, judge } from './alarms.ts';
import { firstCatch } from './metrics/spans.ts';
import type { Firing, Firings, Run } from './run.ts';

/** One alarm of one system, as reports list it. */
export interface FoundAlarm {
  system: string;
  run: string;
  from: number;
  to: number;
  /** The first step at which it acts; null when it only warns. */
  actsAt: number | null;
  /** The rules that spoke. */
  by: string[];
  judgement: Judgement;
  /** Only edit and back-off notes. */
  note: boolean;
  /** The first words of it. */
  text: string;
}

/** A miss of a system: a marked loop, or a whole run that people call looping. */
export interface Miss {
  system: string;
  run: string;
  /** Undefined for a whole run. */
  loop?: { start: number; end: number; stuckAt: number; kind: string };
  note: string;
}

/** All alarms of a system. Edit and back-off notes stand apart, as they are counted. */
export function foundAlarms(system: string, runs: readonly Run[], firings: Firings): FoundAlarm[] {
  return runs.flatMap((run, i) =>
    [true, false].flatMap((alarm) =>
      alarmsOf(firings[i]!.filter((each) => isAlarm(each) === alarm)).map((each) =>
        found(system, run, each),
      ),
    ),
  );
}

function found(system: string, run: Run, alarm: Alarm): FoundAlarm {
  const { from, to, firings } = alarm;
  return {
    system,
    run: run.id,
    from,
    to,
    actsAt: atLevel(firings, 'act')[0]?.step ?? null,
    by: [...new Set(firings.map(({ by }) => by))],
    judgement: judge(alarm, run.truth),
    note: !firings.some(isAlarm),
    text: firings[0]!.text,
  };
}

/** A system's misses, including warnings. */
export function missesOf(system: string, runs: readonly Run[], firings: Firings): Miss[] {
  return runs.flatMap((run, i) => missedIn(system, run, firings[i]!.filter(isAlarm)));
}

function missedIn(system: string, { id: run, truth }: Run, firings: readonly Firing[]): Miss[] {
  if (truth.kind === 'verdict')
    return truth.looping && firings.length === 0
      ? [{ system, run, note: 'people call it looping' }]
      : [];
  if (truth.kind === 'unlabelled') return [];
  return truth.loops
    .filter((loop) => firstCatch(loop, firings) === undefined)
    .map(({ start, end, stuckAt, kind, note }) => ({
      system,
      run,
      loop: { start, end, stuckAt, kind },
      note,
    }));
}
