import { isObject, type JsonObject, listOf, objectOf, parsed, textOf } from '@unrut/engine/json';
import type { Importer } from '@unrut/reading/importer';
import { utcTime } from '@unrut/reading/moment';
import { spent } from '@unrut/reading/response-cost';
import { fieldsIn } from '@unrut/reading/run-documents';
import { readMessages } from './trace-message.ts';
import { metadataPlace } from './trace-metadata.ts';
import {
  heardIn,
  lasted,
  modelTurn,
  type Told,
  type TracePart,
  toolRun,
  tracePart,
  withoutStack,
} from './trace-part.ts';
import { createTraceTimeline } from './trace-timeline.ts';

/**
 * Runs are often listed newest first, so more of them are held than for a stream that is nearly in
 * order.
 */
const MAX = 20_000;

/** LangSmith runs in the format of its API. */
export const langsmith: Importer = {
  name: 'langsmith',
  reads: 'runs of LangSmith: a list, one a line, or `{runs}`, also with `child_runs`',
  sample: 'recorded, client 0.10',
  recognises: (first) =>
    first.some(
      (record) =>
        isRun(record) ||
        (isObject(record) && Array.isArray(record.runs) && record.runs.some(isRun)),
    ),
  open(source) {
    const timeline = createTraceTimeline(source, MAX);
    function read(record: unknown): void {
      if (isRun(record)) {
        timeline.add(readLangsmithRun(record));
        for (const child of listOf(record.child_runs)) read(child);
      } else if (isObject(record) && Array.isArray(record.runs))
        for (const run of record.runs) read(run);
      else source.unknown(textOf(objectOf(record).run_type) || fieldsIn(record));
    }
    return { read, end: () => timeline.end() };
  },
};

const isRun = (record: unknown): record is JsonObject =>
  isObject(record) &&
  typeof record.run_type === 'string' &&
  ['trace_id', 'dotted_order', 'start_time', 'parent_run_id'].some(
    (name) => record[name] !== undefined,
  );

/** Reads a run. Its `session_id` is the project. */
export function readLangsmithRun(run: JsonObject): TracePart {
  const start = orderedTime(run.dotted_order) ?? utcTime(run.start_time) ?? 0;
  const end = utcTime(run.end_time);
  const extra = objectOf(run.extra);
  const { id, parent_run_id: parent, trace_id: given } = run;
  const trace = typeof given === 'string' ? given : typeof parent === 'string' ? undefined : id;
  const place = { session: run.thread_id, ...metadataPlace(extra.metadata), id, parent, trace };
  return tracePart({ ...place, start, end, tells: toldBy(run, extra, lasted(start, end)) });
}

function toldBy(
  run: JsonObject,
  extra: JsonObject,
  durationMs: number | undefined,
): Told | undefined {
  const { inputs, outputs } = run;
  switch (run.run_type) {
    case 'tool': {
      const error = typeof run.error === 'string' ? withoutStack(run.error) || true : undefined;
      const told = toolRun({
        ...calledBy(inputs),
        tool: textOf(run.name),
        output: outputs,
        error,
        durationMs,
      });
      if (durationMs === undefined && error === undefined && !isObject(outputs))
        delete told.returned;
      return told;
    }
    case 'llm':
      return modelTurn(
        readMessages(inputs),
        readMessages(outputs, 'assistant'),
        costOf(run, extra),
      );
    case 'chain':
      // The user's prompt is in the root run; inner chains repeat it.
      return typeof run.parent_run_id === 'string'
        ? undefined
        : { kind: 'agent', heard: heardIn(readMessages(inputs)) };
    default:
      return undefined;
  }
}

/** LangChain passes a tool its arguments or the whole call, possibly as text. */
function calledBy(inputs: unknown): { call?: string; args: unknown } {
  const isWrapped =
    isObject(inputs) && Object.keys(inputs).length === 1 && typeof inputs.input === 'string';
  const given = isWrapped ? parsed(inputs.input) : inputs;
  if (!isObject(given) || given.type !== 'tool_call') return { args: given };
  return typeof given.id === 'string' ? { call: given.id, args: given.args } : { args: given.args };
}

function costOf(run: JsonObject, extra: JsonObject): ReturnType<typeof spent> {
  const places = [run.outputs, extra.metadata]
    .filter(isObject)
    .map(({ usage_metadata }) => usage_metadata);
  const usage = places.find(isObject) ?? {};
  const details = objectOf(usage.input_token_details);
  return spent({
    input: usage.input_tokens ?? run.prompt_tokens,
    cached: details.cache_read,
    output: usage.output_tokens ?? run.completion_tokens,
    usd: run.total_cost ?? usage.total_cost,
  });
}

/** The start of a run to the microsecond, from the last part of its order key. */
function orderedTime(order: unknown): number | undefined {
  const last = textOf(order).slice(textOf(order).lastIndexOf('.') + 1);
  const found = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{6})Z/.exec(last);
  if (!found) return undefined;
  const [year, month, day, hour, minute, second, micro] = found.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return Date.UTC(year, month - 1, day, hour, minute, second) + micro / 1000;
}
