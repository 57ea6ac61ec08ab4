import { isObject, type JsonObject, objectsOf, parsed } from '@unrut/engine/json';
import type { Importer } from '@unrut/reading/importer';
import { fieldsIn } from '@unrut/reading/run-documents';
import { readLog } from './otlp-log.ts';
import { readSpan } from './otlp-span.ts';
import { createTraceTimeline } from './trace-timeline.ts';

const KINDS = ['resourceSpans', 'resourceLogs', 'resourceMetrics'] as const;

/** OTLP's JSON: request bodies, or the output of a collector's file exporter. */
export const otlp: Importer = {
  name: 'otlp',
  reads:
    'OpenTelemetry traces and logs in OTLP JSON (GenAI conventions, OpenInference, AI SDK, Langfuse, MCP; Claude Code, Codex, Gemini CLI)',
  sample:
    'recorded with the libraries and Claude Code; Codex, Gemini CLI and MCP after their documentation',
  recognises: (first) => first.some(isRequest),
  open(source) {
    // Spans are written when they end, so the file is not in order; the timeline holds a limited
    // number of steps.
    const timeline = createTraceTimeline(source);
    return {
      read(record) {
        const body = bodyOf(record);
        if (!body) {
          source.unknown(fieldsIn(record));
          return;
        }
        for (const { kind, item } of itemsIn(body)) {
          if (!isObject(item)) continue;
          const part = kind === 'span' ? readSpan(item) : readLog(item);
          if (part) timeline.add(part);
        }
      },
      end: () => timeline.end(),
    };
  },
};

const holds = (value: unknown): value is JsonObject =>
  isObject(value) && KINDS.some((kind) => Array.isArray(value[kind]));

/** Recorded requests contain the body as text, which is not parsed for recognition. */
const isRequest = (record: unknown): boolean =>
  holds(record) ||
  (isObject(record) &&
    (holds(record.body) ||
      (typeof record.body === 'string' &&
        /^\s*\{\s*"resource(?:Spans|Logs|Metrics)"/.test(record.body))));

function bodyOf(record: unknown): JsonObject | undefined {
  if (holds(record)) return record;
  const body = isObject(record) ? parsed(record.body) : undefined;
  return holds(body) ? body : undefined;
}

/** A span or log record in a request. */
export interface OtlpItem {
  kind: 'span' | 'log';
  item: unknown;
  /** What sent it. */
  resource: unknown;
}

/** The spans of a request, then its log records. */
export function* itemsIn(body: JsonObject): Generator<OtlpItem> {
  yield* inside('span', body.resourceSpans, ['scopeSpans', 'instrumentationLibrarySpans'], 'spans');
  yield* inside(
    'log',
    body.resourceLogs,
    ['scopeLogs', 'instrumentationLibraryLogs'],
    'logRecords',
  );
}

function* inside(
  kind: OtlpItem['kind'],
  resources: unknown,
  scopes: readonly string[],
  items: string,
): Generator<OtlpItem> {
  for (const source of objectsOf(resources)) {
    for (const scope of scopes.flatMap((name) => objectsOf(source[name]))) {
      const found = scope[items];
      if (Array.isArray(found))
        for (const item of found) yield { kind, item, resource: source.resource };
    }
  }
}
