import { absorb, type Step } from './trace-step.ts';
import type { TraceTree } from './trace-tree.ts';

/** Milliseconds by which a log record may follow the moment that it describes. */
const MOMENT = 50;

/**
 * Joins steps that describe the same thing under different ids. `sameRun` tells whether two belong
 * to one agent.
 */
export function joinSteps(
  steps: Map<string, Step>,
  tree: TraceTree,
  sameRun: (a: Step, b: Step) => boolean,
): void {
  const inOrder = [...steps.values()].sort((a, b) => a.start - b.start || a.order - b.order);
  joinTurns(
    inOrder.filter(({ turn }) => turn),
    inOrder.filter(({ call }) => call),
  );
  joinRuns(inOrder.filter(({ call }) => call));

  function joinTurns(turns: Step[], calls: Step[]): void {
    const joined = new Map<string, string>();
    const join = (step: Step, into: string): void => {
      const other = steps.get(into);
      if (other) absorb(other, step);
      steps.delete(step.key);
      joined.set(step.key, into);
    };
    for (const step of turns) {
      // Two libraries record one turn: one span is inside the other.
      const outer = tree.within(step.place.parent, 'model', step.key);
      if (outer !== undefined) join(step, outer);
    }
    for (const step of turns) {
      if (!step.turn!.isBeside) continue;
      const at = step.end ?? step.start;
      const covers = (other: Step): boolean =>
        other.start <= at && at <= (other.end ?? other.start) + MOMENT;
      const other = turns.findLast(
        (each) =>
          each !== step &&
          covers(each) &&
          steps.has(each.key) &&
          (!each.turn!.isBeside || completes(each, step)) &&
          sameRun(each, step),
      );
      if (other) join(step, other.key);
    }
    for (const { call } of calls) call!.turn = joined.get(call!.turn ?? '') ?? call!.turn;
  }

  function joinRuns(calls: Step[]): void {
    const recorded = new Set<Step>();
    for (const step of calls) {
      const { ran, turn, tool, id } = step.call!;
      if (!ran || turn !== undefined) continue;
      const outer = isNameless(step) ? tree.within(step.place.parent, 'tool', step.key) : undefined;
      const around = outer === undefined ? undefined : steps.get(outer);
      const isSame = around !== undefined && (tool === '' || around.call?.tool === tool);
      const into = isSame ? around : (askedFor(step, calls) ?? spanOf(step, calls, recorded));
      if (!into) continue;
      recorded.add(into);
      absorb(into, step);
      steps.delete(step.key);
      if (isNameless(into)) into.call!.id = id;
      tree.move(step.place.id, into.key, into.call!.id);
    }
  }

  /** The span of the same run for a log record that is its sibling. */
  function spanOf(step: Step, calls: Step[], recorded: ReadonlySet<Step>): Step | undefined {
    if (!isNameless(step)) return undefined;
    return calls.find(
      (each) =>
        !isNameless(each) && !recorded.has(each) && isRecordOf(step, each) && sameRun(each, step),
    );
  }

  /**
   * The call of a run without an id: a proposed call that has not run, preferably with equal
   * arguments.
   */
  function askedFor(step: Step, calls: Step[]): Step | undefined {
    const fits = ({ call, start }: Step): boolean =>
      !call!.ran && call!.tool === step.call!.tool && start <= step.start + MOMENT;
    const fitting = calls.filter(
      (each) => fits(each) && (isNameless(step) || isNameless(each)) && sameRun(each, step),
    );
    const args = JSON.stringify(step.call!.args);
    return fitting.find(({ call }) => JSON.stringify(call!.args) === args) ?? fitting[0];
  }
}

/**
 * Gemini CLI writes a span with the call's id and, as a sibling, a log record with its arguments.
 */
const isRecordOf = (
  { place: record, start, end = start, call }: Step,
  { place: span, ...other }: Step,
): boolean =>
  record.id === undefined &&
  record.parent !== undefined &&
  record.parent === span.parent &&
  other.call!.tool === call!.tool &&
  start <= (other.end ?? other.start) &&
  other.start <= end;

/** A call without a known id. */
const isNameless = ({ key }: Step): boolean => !key.startsWith('call ');

/**
 * Two log records of one turn contain different parts of it; those of different short turns contain
 * the same parts.
 */
const completes = ({ turn: a }: Step, { turn: b }: Step): boolean =>
  !(a!.cost && b!.cost) && !(a!.says && b!.says);
