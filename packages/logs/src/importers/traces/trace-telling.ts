import { hash64 } from '@unrut/engine/hash';
import { keepIn } from '@unrut/engine/recent';
import type { ImportedRun, ImportMoment, Returned } from '@unrut/reading/importer';
import { overAt, returnedOf, type Step } from './trace-step.ts';

/** Emits the ordered steps of one agent to its run. */
export interface Telling {
  tell(step: Step): void;
  /** Emits the late result of a call that was emitted without one. */
  late(id: string, returned: Returned, at: number): void;
  end(): void;
}

/** Max number of remembered user messages, so that prompts which repeat them add nothing. */
const MAX_SAID = 10_000;

/**
 * Starts emitting an agent's steps. The prompt of a nested agent comes from its parent, not from
 * the user.
 */
export function createTelling(run: ImportedRun, isNested: boolean): Telling {
  let turn: string | undefined;
  let cost: ImportMoment['cost'];
  let open: Step[] = [];
  const persons = new Map<string, number>();
  const traces = new Set<string | undefined>();

  /** The first event of a response carries its cost. */
  function at(time: number): ImportMoment {
    const moment = cost === undefined ? { at: time } : { at: time, cost };
    cost = undefined;
    return moment;
  }

  /** Emits the results that arrived before this time. */
  function comeBack(before: number): void {
    const over = open.filter((step) => overAt(step) < before).sort((a, b) => overAt(a) - overAt(b));
    if (over.length > 0) open = open.filter((step) => !over.includes(step));
    for (const step of over)
      run.returns(step.call!.id, returnedOf(step.call!)!, { at: overAt(step) });
  }

  /** Whether a user message is new, and counts it. Prompts repeat all earlier messages. */
  function isNew(
    { text, prompt }: NonNullable<Step['person']>,
    trace: string | undefined,
  ): boolean {
    const name = hash64(text);
    const said = persons.get(name) ?? 0;
    if (prompt && said >= prompt.nth) return false;
    keepIn(persons, name, said + 1, MAX_SAID);
    // A conversation that restarts within a trace is a summary of the first, or a side question.
    const isAside =
      prompt !== undefined && said === 0 && text === prompt.first && traces.has(trace);
    traces.add(trace);
    return !isAside;
  }

  return {
    tell(step) {
      const { call, person, start, end = start } = step;
      // Times have a resolution of a millisecond: results of the same millisecond came before the
      // next turn, but calls of one turn run in parallel.
      comeBack(Math.floor(start) + (call ? 0 : 1));
      if (step.turn) {
        turn = step.key;
        cost = sum(cost, step.turn.cost);
        if (step.turn.thinks) run.thinks(step.turn.thinks, at(end));
        if (step.turn.says) run.says(step.turn.says, at(end));
      } else if (call) {
        const { id, tool, args } = call;
        const batch = call.turn ?? turn;
        // A call without a name is a fragment.
        if (tool === '') return;
        run.calls(
          batch === undefined ? { id, tool, args } : { id, tool, args, batch },
          at(call.ran ? start : (call.askedAt ?? start)),
        );
        if (returnedOf(call)) open.push(step);
      } else if (person) {
        if (!isNested && isNew(person, step.place.trace)) run.person(person.text, { at: start });
      } else run.compacted({ at: start });
    },
    late(id, returned, time) {
      run.returns(id, returned, { at: time });
    },
    end() {
      comeBack(Number.POSITIVE_INFINITY);
    },
  };
}

function sum(a: ImportMoment['cost'], b: ImportMoment['cost']): ImportMoment['cost'] {
  if (!a || !b) return a ?? b;
  const both = { ...a, ...b };
  if (a.tokens !== undefined && b.tokens !== undefined) both.tokens = a.tokens + b.tokens;
  if (a.usd !== undefined && b.usd !== undefined) both.usd = a.usd + b.usd;
  return both;
}
