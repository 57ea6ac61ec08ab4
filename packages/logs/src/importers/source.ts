import type { AgentEvent, EventBase } from '@unrut/engine/event';
import { readFinished, startFolders } from '@unrut/engine/fingerprint';
import { isObject, present, textOf } from '@unrut/engine/json';
import { ownWordsIn } from '@unrut/engine/recoveries/own-words';
import type { ImportedRun, ImportMoment, Returned, Source } from '@unrut/reading/importer';
import { readTime } from '@unrut/reading/moment';

/** One event of a run, with the source's index of its step. */
export interface Imported {
  step: number;
  event: AgentEvent;
  /** The source contains its time. */
  timed: boolean;
  /** That time, in epoch milliseconds; event times never decrease. */
  told?: number;
}

export interface Sink {
  event(imported: Imported): void;
  unknown(kind: string): void;
}

/** Assumed time between events without times: neither a deliberate wait nor parallel. */
const A_LITTLE = 1000;
/**
 * Max number of calls that wait for results; the oldest is dropped first, with an unknown result.
 */
const MAX_OPEN = 256;

const STEPS = new Set([
  'user-spoke',
  'call-finished',
  'action-finished',
  'output-finished',
  'task-attempted',
  'idle',
]);

/**
 * Whether an event is a step of its own: a message, call, action, iteration or attempt. Reasoning
 * is not.
 */
const isStep = (event: AgentEvent): boolean =>
  STEPS.has(event.type) ||
  event.type === 'call-proposed' ||
  (event.type === 'text-added' && event.channel === 'answer');

/** The plan id of Unrut's actions in a transcript, where the original id is unknown. */
const IN_TRANSCRIPT = 'in the transcript';

/** The text at the end of a result, which may be a list of texts. */
function lastText(result: unknown): string {
  const last: unknown = Array.isArray(result) ? result.at(-1) : result;
  return textOf(isObject(last) ? last.text : last);
}

/** Replaces the text at the end of a result; an empty one is removed from a list. */
function withLastText(result: unknown, text: string): unknown {
  if (!Array.isArray(result)) return text;
  const last: unknown = result.at(-1);
  const rest = result.slice(0, -1);
  if (text.trim() === '') return rest;
  return [...rest, isObject(last) ? { ...last, text } : text];
}

/** The runs of one file, as events. */
export function createSource(name: string, sink: Sink): Source {
  const runs = new Map<string, ImportedRun>();
  let last: { session: string; agent: string | undefined; run: ImportedRun } | undefined;
  return {
    name,
    run(given, agent) {
      // A session without a name gets the file's.
      const session = given || name;
      if (last && last.session === session && last.agent === agent) return last.run;
      const key = JSON.stringify([session, agent]);
      const run = runs.get(key) ?? createRun(session, agent, sink);
      runs.set(key, run);
      last = { session, agent, run };
      return run;
    },
    unknown: (kind) => sink.unknown(kind),
  };
}

/** Max number of changed files in one event. */
const MAX_CHANGED = 16;

/** An event without the common fields. */
type Body = AgentEvent extends infer Each
  ? Each extends AgentEvent
    ? Omit<Each, keyof EventBase>
    : never
  : never;

interface Open {
  id: string;
  step: number;
  call: { id: string; tool: string; args: unknown };
  batch: string;
  speaker: string | undefined;
}

/** By the guard's own measure: a different description, for example, does not make another call. */
const isSameCall = (one: Open['call'], other: Open['call']): boolean =>
  one.tool === other.tool && keyOf(one) === keyOf(other);
const keyOf = (call: Open['call']): string =>
  readFinished({
    call,
    annotations: undefined,
    declared: undefined,
    folders: startFolders(),
    seed: 0,
  }).key;

function createRun(session: string, agent: string | undefined, sink: Sink): ImportedRun {
  let next = 0;
  let last = 0;
  const open = new Map<string, Open>();
  /** The finished calls of a batch. */
  let returned: { batch: string; calls: Open['call'][] } = { batch: '', calls: [] };
  let changed: string[] = [];

  function emit(step: number, { at, id, speaker, cost }: ImportMoment, fields: Body): void {
    const told = readTime(at);
    // Sources write in order, so times that go back are ignored.
    last = Math.max(told ?? last + A_LITTLE, last);
    const base: EventBase = { session, at: last };
    if (agent !== undefined) base.agent = agent;
    if (id !== undefined) base.id = id;
    if (speaker !== undefined) base.speaker = speaker;
    if (cost !== undefined) base.cost = cost;
    if (changed.length > 0) base.changed = changed.splice(0);
    sink.event({
      step,
      event: { ...base, ...fields } as AgentEvent,
      timed: told !== undefined,
      ...(told === undefined ? {} : { told }),
    });
  }

  function finish(
    { step, call, batch, speaker }: Open,
    brought: Returned,
    moment: ImportMoment,
  ): void {
    if (returned.batch !== batch) returned = { batch, calls: [] };
    returned.calls.push(call);
    emit(
      step,
      { ...present({ speaker }), ...moment },
      { type: 'call-finished', call, batch, ...brought },
    );
  }

  return {
    index(step) {
      next = step;
    },
    person(text, moment = {}) {
      emit(next++, moment, { type: 'user-spoke', text });
    },
    says(text, { rest, ...moment } = {}) {
      const said = { type: 'text-added', channel: 'answer', done: true, text } as const;
      emit(next++, moment, { ...said, ...present({ rest }) });
    },
    thinks(text, moment = {}) {
      if (text.trim() !== '')
        emit(next, moment, { type: 'text-added', channel: 'thinking', done: true, text });
    },
    calls({ id, tool, args, batch, screen }, moment = {}) {
      const step = next++;
      const known = id ?? `#${step}`;
      const call = { id: known, tool, args };
      const opened: Open = {
        id: known,
        step,
        call,
        batch: batch ?? `#${step}`,
        speaker: moment.speaker,
      };
      const again = open.get(known);
      if (again) give(again);
      open.set(known, opened);
      if (open.size > MAX_OPEN) give(open.values().next().value!);
      // Sources that write each call with its result cannot propose it again within the same
      // response.
      const isLate =
        opened.batch === returned.batch && returned.calls.some((other) => isSameCall(other, call));
      const together = isLate ? {} : { batch: opened.batch };
      emit(step, moment, {
        type: 'call-proposed',
        call,
        ...together,
        ...(screen ? { screen } : {}),
      });
    },
    returns(id, returned, moment = {}) {
      const opened = id === undefined ? open.values().next().value : open.get(id);
      if (!opened) return false;
      open.delete(opened.id);
      const own = ownWordsIn(lastText(returned.result));
      if (own?.rest === undefined) finish(opened, own ? { refusedBy: 'unrut' } : returned, moment);
      else {
        const { result } = returned;
        finish(opened, { ...returned, result: withLastText(result, own.rest) }, moment);
        this.guarded(own.rung, {});
      }
      return true;
    },
    guarded(rung, moment = {}) {
      emit(next, moment, { type: 'plan-performed', plan: IN_TRANSCRIPT, rung });
    },
    changed(files) {
      changed = [...changed, ...files].slice(-MAX_CHANGED);
    },
    compacted(moment = {}) {
      emit(next, moment, { type: 'context-compacted' });
    },
    observed(event) {
      last = Math.max(last, event.at);
      const proposed = event.type === 'call-finished' ? open.get(event.call.id) : undefined;
      // An incomplete message keeps its index.
      const isWhole = isStep(event) && (event.type !== 'text-added' || event.done === true);
      const step = proposed?.step ?? (isWhole ? next++ : next);
      if (event.type === 'call-proposed')
        open.set(event.call.id, {
          id: event.call.id,
          step,
          call: event.call,
          batch: '',
          speaker: undefined,
        });
      if (proposed) open.delete(proposed.id);
      if (open.size > MAX_OPEN) open.delete(open.keys().next().value!);
      sink.event({ step, event, timed: true, told: event.at });
    },
    ends({ outcome, ...moment } = {}) {
      emit(next, moment, { type: 'session-ended', ...present({ outcome }) });
    },
  };

  function give(lost: Open): void {
    open.delete(lost.id);
    finish(lost, {}, {});
  }
}
