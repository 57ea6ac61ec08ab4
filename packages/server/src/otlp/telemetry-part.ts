import type { EventOrigin } from '@unrut/engine/event-parts';
import { hash64 } from '@unrut/engine/hash';
import { isObject, type JsonObject, textOf } from '@unrut/engine/json';
import { keptOrigin } from '@unrut/ledger/record';
import { itemsIn, type OtlpItem } from '@unrut/logs/importers/traces/otlp';
import { attributesOf } from '@unrut/logs/importers/traces/otlp-attributes';
import { readLog } from '@unrut/logs/importers/traces/otlp-log';
import { readSpan } from '@unrut/logs/importers/traces/otlp-span';
import type { TracePart } from '@unrut/logs/importers/traces/trace-part';
import { tooMany } from '../json-size.ts';
import { isTelemetryTime } from '../latest-time.ts';
import { createSlices } from '../slices.ts';

/** A parsed span or log record, with its context. */
export interface TelemetryPart {
  part: TracePart;
  /** Equal if a span or record is sent again. */
  name: string;
  /** The sending program with its version, and the model. */
  origin: EventOrigin;
  /** Approximate bytes of memory. */
  bytes: number;
}

/** Max items per request; exporters send 512 at a time. */
const MAX_ITEMS = 50_000;
const MAX_HOST_LENGTH = 60;

/**
 * The parts in a request's body, and the number of rejected items; `latest` is the latest plausible
 * time. Records that are not about agents are skipped. Throws a refusal if there are too many.
 */
export async function partsIn(
  body: JsonObject,
  bytes: number,
  latest: number = Number.POSITIVE_INFINITY,
): Promise<{ parts: TelemetryPart[]; unreadable: number }> {
  const items: OtlpItem[] = [];
  for (const item of itemsIn(body))
    if (items.push(item) > MAX_ITEMS) throw tooMany(`at most ${MAX_ITEMS} spans or log records`);
  const parts: TelemetryPart[] = [];
  const slices = createSlices();
  let unreadable = 0;
  for (const item of items) {
    await slices();
    try {
      const part = partOf(item);
      if (part && !isUsable(part, latest)) unreadable++;
      else if (part)
        parts.push({
          part,
          name: nameOf(item, part),
          origin: originOf(item),
          bytes: bytes / items.length,
        });
    } catch {
      unreadable++;
    }
  }
  return { parts, unreadable };
}

function partOf({ kind, item }: OtlpItem): TracePart | undefined {
  if (!isObject(item)) throw new Error('no object');
  return kind === 'span' ? readSpan(item) : readLog(item);
}

/**
 * A time in the future would make all later parts count as late; one in a wrong unit is in 1970.
 */
const isUsable = ({ start, end = start, session, trace }: TracePart, latest: number): boolean =>
  isTelemetryTime(start) && Math.max(start, end) <= latest && (session ?? trace) !== undefined;

/** Log records have no ids; a repeated one is identical in content. */
const nameOf = ({ item }: OtlpItem, { trace, id }: TracePart): string =>
  id === undefined ? hash64(JSON.stringify(item)) : `${trace} ${id}`;

function originOf({ item, resource }: OtlpItem): EventOrigin {
  const sender = attributesOf(isObject(resource) ? resource.attributes : undefined);
  const own = attributesOf(isObject(item) ? item.attributes : undefined);
  const name = textOf(sender['service.name']);
  return keptOrigin({
    host: name.startsWith('unknown_service') ? '' : name.slice(0, MAX_HOST_LENGTH),
    model: own['gen_ai.request.model'],
    release:
      own['gen_ai.agent.version'] ?? sender['gen_ai.agent.version'] ?? sender['service.version'],
  });
}
