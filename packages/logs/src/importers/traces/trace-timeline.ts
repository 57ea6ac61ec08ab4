import { keepIn } from '@unrut/engine/recent';
import type { Source } from '@unrut/reading/importer';
import { joinSteps } from './trace-joins.ts';
import type { Heard, ModelTurn, ToolRun, TracePart, TracePlace } from './trace-part.ts';
import { type HeardAt, place, type Step, tellRun, tellTurn } from './trace-step.ts';
import { createTelling, type Telling } from './trace-telling.ts';
import { TraceTree } from './trace-tree.ts';

/** Orders the parts of traces, and emits them to their runs. */
export interface TraceTimeline {
  add(part: TracePart): void;
  /** Emits all waiting steps. Later ones are emitted after them, unless they were already. */
  end(): void;
}

/**
 * Spans arrive when they END, in any order. Steps are held until this many wait; then the older
 * half is emitted.
 */
const MAX = 5000;

const NOTHING: Heard = { persons: [], results: [] };

/** Orders parts by their start, and emits each step once, even if several parts describe it. */
export function createTraceTimeline(source: Source, most = MAX): TraceTimeline {
  const tree = new TraceTree(most * 4);
  const steps = new Map<string, Step>();
  const gone = new Map<string, true>();
  /** Where the latest call with an id was proposed: its result may be in another trace. */
  const asked = new Map<string, { key: string; place: TracePlace }>();
  /** Results in prompts; some sources list the prompt before the call. */
  const heard = new Map<string, HeardAt>();
  const telling = new Map<string, Telling>();
  let order = 0;

  function tellingOf(key: string, part: TracePlace): Telling {
    const session = tree.sessionOf(part);
    const agent = part.agent ?? tree.agentUnder(part.parent, key);
    const name = JSON.stringify([session, agent]);
    const known =
      telling.get(name) ?? createTelling(source.run(session, agent), agent !== undefined);
    telling.set(name, known);
    return known;
  }

  /**
   * The step with this key, which now includes the part's place; undefined if it was already
   * emitted.
   */
  function stepAt(key: string, part: TracePlace): Step | undefined {
    let step = steps.get(key);
    if (step) place(step, part);
    else if (!gone.has(key)) {
      step = { key, place: { ...part }, order: order++, start: part.start, end: part.end };
      steps.set(key, step);
    }
    return step;
  }

  function addTurn(key: string, part: TracePlace, turn: ModelTurn): void {
    const step = stepAt(key, part);
    if (step) tellTurn(step, turn);
    if (turn.heard) hear(turn.heard, part, (part.about && step?.turn?.heard) || new Map());
    for (const [nth, { id, tool, args }] of (turn.asks ?? []).entries()) {
      const called = id === undefined ? `${key}#${nth}` : callKey(part, id);
      // A tool run that arrived before its turn has its own time.
      const hasRun = steps.get(called)?.call?.ran === true;
      const call = stepAt(called, {
        ...part,
        start: hasRun ? Number.POSITIVE_INFINITY : part.start,
        end: undefined,
      });
      if (!call) continue;
      call.call = {
        id: id ?? called,
        ran: false,
        ...call.call,
        tool,
        args,
        turn: key,
        nth,
        askedAt: part.end,
      };
      if (id !== undefined) keepIn(asked, id, { key: called, place: call.place }, most);
    }
  }

  /** A prompt repeats the whole history: the earliest prompt with a message determines its time. */
  function hear({ persons, results }: Heard, part: TracePlace, counts: Map<string, number>): void {
    const at = { ...part, end: undefined };
    const [first = ''] = counts.size > 0 ? counts.keys() : persons;
    for (const text of persons) {
      const nth = (counts.get(text) ?? 0) + 1;
      counts.set(text, nth);
      stepAt(`person ${part.trace ?? part.session} ${nth} ${text}`, at)!.person ??= {
        text,
        prompt: { first, nth },
      };
    }
    for (const { id, ...result } of results) {
      if (id === undefined) continue;
      const own = { key: callKey(part, id), place: part };
      const other = asked.get(id);
      const isOther =
        !steps.has(own.key) &&
        !gone.has(own.key) &&
        other &&
        tree.sessionOf(other.place) === tree.sessionOf(part);
      const { key, place: where } = isOther ? other : own;
      const before = heard.get(key);
      if (gone.has(key)) tellingOf(key, where).late(id, result, part.start);
      else
        keepIn(
          heard,
          key,
          { ...result, ...before, at: Math.min(part.start, before?.at ?? part.start) },
          most,
        );
    }
  }

  function addRun(key: string, part: TracePlace, run: ToolRun): void {
    const step = stepAt(key, run.returned ? part : { ...part, end: undefined });
    const id = run.call ?? part.id ?? key;
    if (step) tellRun(step, id, run, part);
    else if (run.returned) tellingOf(key, part).late(id, run.returned, part.end ?? part.start);
  }

  function release(count: number): void {
    joinSteps(steps, tree, (a, b) => tellingOf(a.key, a.place) === tellingOf(b.key, b.place));
    for (const step of [...steps.values()].sort(byTime).slice(0, count)) {
      const key = step.call ? callKey(step.place, step.call.id) : '';
      if (step.call) step.call.heard = heard.get(key);
      heard.delete(key);
      tellingOf(step.key, step.place).tell(step);
      steps.delete(step.key);
      // User messages in prompts are counted by their text.
      if (!step.person?.prompt) keepIn(gone, step.key, true, most * 4);
    }
  }

  return {
    add(part) {
      // The content is not stored with the place, since a prompt is as long as the whole history.
      const { tells, ...at } = part;
      const key = keyOf(part, order);
      tree.add(part, key);
      if (tells?.kind === 'model') addTurn(key, at, tells);
      else if (tells?.kind === 'tool') addRun(key, at, tells);
      else if (tells?.kind === 'agent')
        hear(tells.heard ?? NOTHING, { ...at, parent: at.id ?? at.parent }, new Map());
      else if (tells) {
        const step = stepAt(key, at);
        if (step && tells.kind === 'person') step.person ??= { text: tells.text };
      }
      if (steps.size > most) release(most >> 1);
    },
    end() {
      release(steps.size);
      heard.clear();
      for (const each of telling.values()) each.end();
    },
  };
}

/** Ties: user messages first, then a turn before its calls (in request order), then by end time. */
function byTime(a: Step, b: Step): number {
  if (a.start !== b.start) return a.start - b.start;
  if (a.person || b.person) return Number(a.person === undefined) - Number(b.person === undefined);
  if (a.turn || b.turn)
    return a.call?.turn === b.key ? 1 : b.call?.turn === a.key ? -1 : a.order - b.order;
  return (
    (a.call?.turn === b.call?.turn ? (a.call?.nth ?? 0) - (b.call?.nth ?? 0) : 0) ||
    a.order - b.order
  );
}

/** Call ids are unique in a trace; some models count them from 1 in each. */
const callKey = ({ trace, session }: TracePlace, id: string): string =>
  `call ${trace ?? session} ${id}`;

function keyOf(part: TracePart, order: number): string {
  const { tells, about, id } = part;
  if (tells?.kind === 'tool' && tells.call !== undefined) return callKey(part, tells.call);
  return `${tells?.kind} ${about ?? id ?? `#${order}`}`;
}
