import type { JsonObject } from '@unrut/engine/json';
import type { Ledger, LedgerEntry } from '@unrut/ledger/ledger';
import { createMemoryLedger } from '@unrut/ledger/memory';
import { onTestFinished } from 'vitest';
import { createTelemetry, type Telemetry } from '../../packages/server/src/otlp/telemetry.ts';
import { partsIn } from '../../packages/server/src/otlp/telemetry-part.ts';
import { span } from '../importers/otlp-records.ts';

/** Telemetry whose clock is set by hand, and what it writes to. */
export interface Watched {
  telemetry: Telemetry;
  ledger: Ledger;
  /** A request comes at this time, in milliseconds; what has waited long enough is observed. */
  at(time: number, body: unknown): Promise<void>;
  /** Observes all that waits, and gives all entries. */
  entries(): Promise<LedgerEntry[]>;
}

export function watchTelemetry(ledger: Ledger = createMemoryLedger()): Watched {
  let now = 0;
  const telemetry = createTelemetry({ ledger, guard: {}, now: () => now });
  onTestFinished(() => telemetry.close());
  return {
    telemetry,
    ledger,
    async at(time, body) {
      now = time;
      const { parts } = await partsIn(body as JsonObject, JSON.stringify(body).length);
      telemetry.take(parts);
      await telemetry.tick();
    },
    async entries() {
      await telemetry.close();
      return ledger.entries();
    },
  };
}

/** The span of a call. Times are in milliseconds. */
export const callSpan = (
  start: number,
  tool: string,
  args: unknown,
  result: string,
  more: {
    end?: number;
    id?: string;
    call?: string;
    parent?: string;
    session?: string;
    trace?: string;
  } = {},
): JsonObject =>
  span({
    name: `execute_tool ${tool}`,
    start,
    end: more.end ?? start + 100,
    parent: more.parent ?? 'root',
    ...(more.id === undefined ? {} : { id: more.id }),
    ...(more.trace === undefined ? {} : { trace: more.trace }),
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': more.call ?? `call-of-${start}-${tool}`,
      'gen_ai.tool.call.arguments': JSON.stringify(args),
      'gen_ai.tool.call.result': result,
      ...(more.session === undefined ? {} : { 'gen_ai.conversation.id': more.session }),
    },
  });

/** What was seen, without the ids. */
export const signalsIn = (entries: readonly LedgerEntry[]): unknown[] =>
  entries.flatMap(({ kind, session, agent, at, step, data }) =>
    kind === 'signal' ? [[session, agent, at, step, data.detector, data.count]] : [],
  );

/**
 * What happened, one word each: `tool` for a call that came back, a person, and what was only kept
 * in brackets.
 */
export const toldIn = (entries: readonly LedgerEntry[]): string[] =>
  entries.flatMap(({ kind, agent, data }) => {
    if (kind !== 'event' || data.type === 'call-proposed') return [];
    const what = [...(agent === undefined ? [] : [agent]), String(data.tool ?? data.type)].join(
      ' ',
    );
    return [data.aside ? `(${what})` : what];
  });
