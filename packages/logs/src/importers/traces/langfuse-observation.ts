import { isObject, objectOf, parsed, textOf } from '@unrut/engine/json';
import { amount, spent } from '@unrut/reading/response-cost';
import type { Span } from './otlp-attributes.ts';
import { readMessages } from './trace-message.ts';
import { heardIn, modelTurn, type Told, toolRun } from './trace-part.ts';

/** A Langfuse observation, from any source. */
export interface Observation {
  type: string;
  name: string;
  input: unknown;
  output: unknown;
  /** `ERROR` when it failed. */
  level: unknown;
  statusMessage: unknown;
  usage: unknown;
  costs: unknown;
  durationMs: number | undefined;
}

/** Reads an observation. Other types (spans, events, scores, retrievers …) describe no steps. */
export function readObservation({
  type,
  name,
  input,
  output,
  level,
  statusMessage,
  usage,
  costs,
  durationMs,
}: Observation): Told | undefined {
  switch (type.toUpperCase()) {
    case 'TOOL': {
      const error = level === 'ERROR' ? textOf(statusMessage) || true : undefined;
      return toolRun({
        tool: name,
        args: parsed(input),
        output: parsed(output),
        error,
        durationMs,
      });
    }
    case 'GENERATION':
      return modelTurn(
        readMessages(input),
        readMessages(output, 'assistant'),
        costOf(parsed(usage), parsed(costs)),
      );
    case 'AGENT':
      return { kind: 'agent', heard: heardIn(readMessages(input)) };
    default:
      return undefined;
  }
}

/** Langfuse counts each kind of token separately, and their sum as `total`. */
function costOf(usage: unknown, costs: unknown): ReturnType<typeof spent> {
  const counts = isObject(usage) ? (Object.entries(usage) as [string, unknown][]) : [];
  const paid = counts.filter(
    ([kind]) => kind !== 'total' && kind !== 'unit' && !/cost|cache_?read|cached/i.test(kind),
  );
  const tokens = paid.reduce((sum, [, count]) => sum + (amount(count) ?? 0), 0);
  const total = amount(objectOf(usage).total);
  const usd = isObject(costs) ? costs.total : costs;
  return spent({ input: paid.length > 0 ? tokens : total, usd });
}

/** Spans of Langfuse's SDKs. */
export function readLangfuseSpan({ name, attributes, durationMs }: Span): Told | undefined {
  const field = (each: string): unknown => attributes[`langfuse.observation.${each}`];
  return readObservation({
    type: textOf(field('type')),
    name,
    input: field('input'),
    output: field('output'),
    level: field('level'),
    statusMessage: field('status_message'),
    usage: field('usage_details'),
    costs: field('cost_details'),
    durationMs,
  });
}
