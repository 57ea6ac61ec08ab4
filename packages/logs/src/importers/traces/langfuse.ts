import { isObject, type JsonObject, objectOf, textOf } from '@unrut/engine/json';
import type { Importer } from '@unrut/reading/importer';
import { utcTime } from '@unrut/reading/moment';
import { fieldsIn } from '@unrut/reading/run-documents';
import { readObservation } from './langfuse-observation.ts';
import { readMessages } from './trace-message.ts';
import { metadataPlace } from './trace-metadata.ts';
import { heardIn, lasted, type TracePart, tracePart } from './trace-part.ts';
import { createTraceTimeline } from './trace-timeline.ts';

/**
 * Observations are listed newest first, so more of them are held than for a stream that is nearly
 * in order.
 */
const MAX = 20_000;

const TYPES =
  /^(?:generation|span|event|tool|agent|chain|retriever|evaluator|embedding|guardrail)$/i;

/** Langfuse exports: from its API, its pages or its bucket. */
export const langfuse: Importer = {
  name: 'langfuse',
  reads:
    'observations of Langfuse: a list, one a line, `{data}`, or traces with their `observations`; in camelCase or snake_case',
  sample: 'recorded spans in the documented form of exports',
  recognises: (first) =>
    first.some((record) => isObservation(record) || inside(record).some(isObservation)),
  open(source) {
    const timeline = createTraceTimeline(source, MAX);
    function read(record: unknown): void {
      const parts = inside(record);
      if (isObservation(record)) timeline.add(observationPart(record));
      else if (isTrace(record)) timeline.add(wholeTrace(record));
      else if (parts.length === 0 && !(isObject(record) && Array.isArray(record.data))) {
        source.unknown(textOf(objectOf(record).type) || fieldsIn(record));
      }
      for (const part of parts) if (isObject(part)) read(part);
    }
    return { read, end: () => timeline.end() };
  },
};

/** An API page contains records, and a trace its observations; some list only ids. */
function inside(record: unknown): unknown[] {
  if (!isObject(record)) return [];
  return [record.data, record.observations, record.traces]
    .filter((list) => Array.isArray(list))
    .flat();
}

const field = (record: JsonObject, camelCase: string): unknown =>
  record[camelCase] ?? record[camelCase.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];

const isObservation = (record: unknown): record is JsonObject =>
  isObject(record) &&
  TYPES.test(textOf(record.type)) &&
  typeof field(record, 'traceId') === 'string' &&
  ('startTime' in record || 'start_time' in record);

const isTrace = (record: unknown): record is JsonObject =>
  isObject(record) && typeof record.id === 'string' && record.timestamp !== undefined;

function observationPart(record: JsonObject): TracePart {
  const start = utcTime(field(record, 'startTime')) ?? 0;
  const end = utcTime(field(record, 'endTime'));
  const tells = readObservation({
    type: textOf(record.type),
    name: textOf(record.name),
    input: record.input,
    output: record.output,
    level: record.level,
    statusMessage: field(record, 'statusMessage'),
    usage: field(record, 'usageDetails') ?? record.usage,
    costs: field(record, 'costDetails') ?? field(record, 'totalCost') ?? record.calculatedTotalCost,
    durationMs: lasted(start, end),
  });
  const { session, ...place } = metadataPlace(record.metadata);
  const own = {
    id: record.id,
    parent: field(record, 'parentObservationId'),
    trace: field(record, 'traceId'),
  };
  return tracePart({
    ...place,
    ...own,
    session: textOf(field(record, 'sessionId')) || session,
    start,
    end,
    tells,
  });
}

/** A trace names its observations' session and contains the prompt. */
function wholeTrace(record: JsonObject): TracePart {
  const heard = heardIn(
    readMessages(record.input, typeof record.input === 'string' ? 'user' : undefined),
  );
  const place = { trace: record.id, session: field(record, 'sessionId') };
  return tracePart({
    ...place,
    start: utcTime(record.timestamp) ?? 0,
    end: undefined,
    tells: { kind: 'agent', heard },
  });
}
