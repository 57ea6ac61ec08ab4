import { isObject, type JsonObject } from '@unrut/engine/json';
import type { Importer, Source } from '@unrut/reading/importer';
import { documentName, kindOf } from '@unrut/reading/run-documents';
import { createClassicReader, isClassicEvent } from './openhands-classic.ts';
import { createMeter } from './openhands-meter.ts';
import { createSdkReader, isSdkEvent } from './openhands-sdk.ts';

/**
 * OpenHands events, classic or of its SDK: one per line, in a list, or as the `history` of an
 * evaluated instance.
 */
export const openhands: Importer = {
  name: 'openhands',
  reads:
    'events of OpenHands, classic (`action`, `observation`) and of its SDK (`kind`): a list, one a line, or an evaluated instance a line',
  sample: 'written after its source',
  recognises: (first) => first.some((record) => eventsIn(record).some(isEvent)),
  open(source) {
    let lines = 0;
    let whole: ReturnType<typeof createSession> | undefined;
    return {
      read(record) {
        lines++;
        if (isObject(record) && !isEvent(record))
          readInstance(record, documentName(record, source.name, lines), source);
        else {
          whole ??= createSession(source, undefined);
          for (const event of eventsIn(record)) whole.read(event);
        }
      },
    };
  },
};

const isEvent = (value: unknown): boolean => isClassicEvent(value) || isSdkEvent(value);

/**
 * The events in a record: itself, a pair of action and observation, or a document's list of either.
 */
function eventsIn(record: unknown): readonly unknown[] {
  if (Array.isArray(record)) return record;
  if (!isObject(record) || isEvent(record)) return [record];
  const list = [record.history, record.events, record.items, record.trajectory].find((value) =>
    Array.isArray(value),
  );
  return Array.isArray(list) ? list.flat() : [];
}

function readInstance(record: JsonObject, name: string, source: Source): void {
  const events = eventsIn(record);
  if (!events.some(isEvent)) {
    source.unknown(kindOf(record));
    return;
  }
  const session = createSession(source, name);
  for (const event of events) session.read(event);
  session.end(record.metrics);
}

function createSession(source: Source, name: string | undefined) {
  const run = source.run(name);
  const meter = createMeter();
  const readClassic = createClassicReader(source, name, meter);
  const readSdk = createSdkReader(run, source);
  return {
    read(event: unknown): void {
      if (isClassicEvent(event)) readClassic(event);
      else if (isSdkEvent(event)) readSdk(event);
      else source.unknown(kindOf(event));
    },
    /** A run's total cost may be known even if the steps' costs are not. */
    end(metrics: unknown): void {
      run.ends({ cost: meter(metrics) });
    },
  };
}
