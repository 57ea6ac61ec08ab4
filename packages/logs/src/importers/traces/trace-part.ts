import { present } from '@unrut/engine/json';
import type { ImportMoment, Returned } from '@unrut/reading/importer';
import { returnedWith } from '@unrut/reading/returned-with';
import {
  type AskedCall,
  type HeardResult,
  readToolOutput,
  type TraceMessage,
} from './trace-message.ts';

/**
 * One span, log record, run or observation of a trace: where it stands, and what it tells of an
 * agent, if anything.
 */
export interface TracePart extends TracePlace {
  tells?: Told;
}

/** Where something stands in a trace. */
export interface TracePlace {
  id?: string;
  /** The id of the part that this one completes; a completing part has no id of its own. */
  about?: string;
  /** What it happened in. */
  parent?: string;
  trace?: string;
  session?: string;
  /** The nested agent that it belongs to, where the source names one. */
  agent?: string;
  /** In epoch milliseconds, with a fraction where the source is that fine. */
  start: number;
  end?: number | undefined;
}

/**
 * What a part tells. Several may tell of one thing: a span, its log records, and the prompt that
 * follows.
 */
export type Told =
  | ModelTurn
  | ToolRun
  | AgentSpan
  | { kind: 'person'; text: string }
  | { kind: 'compacted' };

/** A model was asked and answered. */
export interface ModelTurn {
  kind: 'model';
  heard?: Heard;
  says?: string;
  thinks?: string;
  asks?: AskedCall[];
  cost?: ImportMoment['cost'];
  /** It stands next to the span of the model's turn, not in it. */
  beside?: true;
}

/** A tool ran, or was kept from running. */
export interface ToolRun {
  kind: 'tool';
  call?: string;
  tool?: string;
  args?: unknown;
  /** Missing while it is not over. */
  returned?: Returned;
}

/** An agent at work: what stands in it is its own. */
export interface AgentSpan {
  kind: 'agent';
  name?: string;
  heard?: Heard;
}

/** What a prompt brings: what persons said, and what tools gave back. */
export interface Heard {
  persons: string[];
  results: HeardResult[];
}

/** A part with what is known of it: where a source leaves something out, so does the part. */
export function tracePart({
  start,
  end,
  tells,
  ...place
}: { start: number; end: number | undefined; tells: Told | undefined } & {
  [Field in 'id' | 'about' | 'parent' | 'trace' | 'session' | 'agent']?: unknown;
}): TracePart {
  const named = Object.entries(place).filter(
    ([, value]) => typeof value === 'string' && value !== '',
  );
  return {
    ...Object.fromEntries(named),
    start,
    ...present({ end }),
    ...(tells ? { tells } : {}),
  };
}

/** How long a part took, in whole milliseconds; nothing if it is not over. */
export const lasted = (start: number, end: number | undefined): number | undefined =>
  end === undefined ? undefined : Math.max(0, Math.round(end - start));

/**
 * What a prompt brings. A result without an id belongs to the next call that was asked for before
 * it.
 */
export function heardIn(messages: readonly TraceMessage[]): Heard {
  const heard: Heard = { persons: [], results: [] };
  let waiting: AskedCall[] = [];
  for (const { role, text, calls, results } of messages) {
    if (role === 'assistant') waiting = [...calls];
    else if (role === 'user' && results.length === 0 && text.trim() !== '')
      heard.persons.push(text);
    // Some lose the role and the id of a tool's message on the way.
    const given =
      role === undefined && waiting.length > 0 && results.length === 0
        ? [{ result: text }]
        : results;
    for (const result of given) {
      const { id } = result as HeardResult;
      const at = id === undefined ? 0 : waiting.findIndex((call) => call.id === id);
      const [call] = at === -1 ? [] : waiting.splice(at, 1);
      heard.results.push(
        id === undefined && call?.id !== undefined ? { ...result, id: call.id } : result,
      );
    }
  }
  return heard;
}

/** A model's turn, from its prompt and its answer. */
export function modelTurn(
  prompt: readonly TraceMessage[],
  answer: readonly TraceMessage[],
  cost?: ImportMoment['cost'],
): ModelTurn {
  const heard = heardIn(prompt);
  // Tools that the provider runs come back within the answer.
  heard.results.push(...answer.flatMap(({ results }) => results));
  const says = answer.map(({ text }) => text).filter((text) => text.trim() !== '');
  const thinks = answer.map(({ thought }) => thought).filter((text) => text.trim() !== '');
  return {
    kind: 'model',
    heard,
    asks: answer.flatMap(({ calls }) => calls).filter(({ tool }) => tool !== ''),
    ...(says.length === 0 ? {} : { says: says.join('\n') }),
    ...(thinks.length === 0 ? {} : { thinks: thinks.join('\n') }),
    ...present({ cost }),
  };
}

/**
 * A tool's run that is over. `output` may be a message that names the call; `error` is why it
 * failed, `true` when that is not told.
 */
export function toolRun(run: {
  call?: string | undefined;
  tool: string;
  args: unknown;
  output: unknown;
  error?: string | true | undefined;
  durationMs?: number | undefined;
}): ToolRun {
  const { id, result, error: isError } = readToolOutput(run.output ?? undefined);
  const call = run.call ?? id;
  const error = run.error ?? isError;
  const { tool, args, durationMs } = run;
  const returned = returnedWith({
    result,
    error: error !== undefined && result !== undefined ? true : error,
    durationMs,
  });
  return { kind: 'tool', ...present({ call }), tool, args, returned };
}

/** An error's message without the stack that some libraries put after it. */
export function withoutStack(message: string): string {
  const at = message.search(/\n\s+at |Traceback \(most recent call last\)/);
  const text = (at > 0 ? message.slice(0, at) : message).trim();
  const [first = '', second, ...others] = text.split('\n\n');
  // LangChain writes the message twice, the second time as the stack's head.
  return others.length === 0 && second?.endsWith(first) ? second : text;
}
