import { present } from '@unrut/engine/json';
import type { ImportMoment, Returned } from '@unrut/reading/importer';
import { returnedWith } from '@unrut/reading/returned-with';
import {
  type AskedCall,
  type HeardResult,
  readToolOutput,
  type TraceMessage,
} from './trace-message.ts';

/** A span, log record, run or observation of a trace: its place, and its content, if any. */
export interface TracePart extends TracePlace {
  tells?: Told;
}

/** The place of a part in a trace. */
export interface TracePlace {
  id?: string;
  /** The id of the part that this one completes; a completing part has no id of its own. */
  about?: string;
  /** What it happened in. */
  parent?: string;
  trace?: string;
  session?: string;
  /** The nested agent, if the source names one. */
  agent?: string;
  /** Epoch milliseconds, with fractions if available. */
  start: number;
  end?: number | undefined;
}

/**
 * The content of a part. Several parts may describe the same thing: a span, its log records, and
 * the next prompt.
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
  /** A sibling of the model's span, not inside it. */
  beside?: true;
}

/** A tool ran, or was prevented from running. */
export interface ToolRun {
  kind: 'tool';
  call?: string;
  tool?: string;
  args?: unknown;
  /** Undefined until it ends. */
  returned?: Returned;
}

/** An agent's span: the spans inside belong to this agent. */
export interface AgentSpan {
  kind: 'agent';
  name?: string;
  heard?: Heard;
}

/** The content of a prompt: user messages and tool results. */
export interface Heard {
  persons: string[];
  results: HeardResult[];
}

/** Creates a part; fields that the source omits stay undefined. */
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

/** The duration of a part, in whole milliseconds; undefined until it ends. */
export const lasted = (start: number, end: number | undefined): number | undefined =>
  end === undefined ? undefined : Math.max(0, Math.round(end - start));

/** The content of a prompt. A result without an id belongs to the next call proposed before it. */
export function heardIn(messages: readonly TraceMessage[]): Heard {
  const heard: Heard = { persons: [], results: [] };
  let waiting: AskedCall[] = [];
  for (const { role, text, calls, results } of messages) {
    if (role === 'assistant') waiting = [...calls];
    else if (role === 'user' && results.length === 0 && text.trim() !== '')
      heard.persons.push(text);
    // Some libraries lose the role and id of a tool's message.
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

/** A model's turn, from its prompt and answer. */
export function modelTurn(
  prompt: readonly TraceMessage[],
  answer: readonly TraceMessage[],
  cost?: ImportMoment['cost'],
): ModelTurn {
  const heard = heardIn(prompt);
  // Results of tools that the provider runs are part of the answer.
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
 * A finished tool run. `output` may be a message that names the call; `error` is the message, or
 * `true` if there is none.
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

/** Removes the stack that some libraries append to an error message. */
export function withoutStack(message: string): string {
  const at = message.search(/\n\s+at |Traceback \(most recent call last\)/);
  const text = (at > 0 ? message.slice(0, at) : message).trim();
  const [first = '', second, ...others] = text.split('\n\n');
  // LangChain repeats the message at the head of the stack.
  return others.length === 0 && second?.endsWith(first) ? second : text;
}
