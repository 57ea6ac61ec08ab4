import { isObject, type JsonObject, textOf } from '@unrut/engine/json';
import type { ImportedRun, ImportMoment, Source } from '../importer.ts';
import { costOnFirst, responseCost } from '../response-cost.ts';
import { kindOf } from '../run-documents.ts';
import { roleOf } from './api-parts.ts';
import { messageParts } from './message-parts.ts';
import type { Part } from './part.ts';

/** One conversation, added part by part. */
export interface Chat {
  /** Reads a message; `known` supplies the fields that it lacks. */
  read(message: unknown, known?: ImportMoment): void;
  /** Adds the parts of one message. `batch` names the response if the source does. */
  tell(parts: readonly Part[], moment: ImportMoment, batch?: string): void;
}

/**
 * Adds a conversation to a run. Consecutive calls form a batch; `prefix` distinguishes its batches
 * from others of the run. `partsOf` returns the parts of a message.
 */
export function createChat(
  run: ImportedRun,
  source: Pick<Source, 'unknown'>,
  prefix = '',
  partsOf = messageParts,
): Chat {
  let batches = 0;
  let isBatchOpen = false;

  function batchOf(): string {
    if (!isBatchOpen) batches++;
    isBatchOpen = true;
    return `${prefix}response ${batches}`;
  }

  function tell(parts: readonly Part[], moment: ImportMoment, batch?: string): void {
    const next = costOnFirst(moment);
    for (const part of parts) {
      if (part.kind === 'calls') {
        const { kind, ...call } = part;
        run.calls({ ...call, batch: batch ?? batchOf() }, next());
      } else if (part.kind === 'returns') {
        isBatchOpen = false;
        if (!run.returns(part.id, part.returned, next())) source.unknown('result without its call');
      } else if (part.kind === 'unknown') source.unknown(part.name);
      else if (part.kind === 'compacted') run.compacted(next());
      else if (part.kind !== 'thinks' || part.text.trim() !== '') run[part.kind](part.text, next());
    }
  }

  return {
    tell,
    read(message, known = {}) {
      if (!isObject(message)) {
        source.unknown(kindOf(message));
        return;
      }
      // A message is a response of its own; items of a response follow each other.
      if (roleOf(message) !== undefined && roleOf(message) !== 'call') isBatchOpen = false;
      tell(partsOf(message), momentOf(message, known));
    },
  };
}

/** The time, agent and cost of a message, if it contains them. */
function momentOf(message: JsonObject, known: ImportMoment): ImportMoment {
  const cost = responseCost(message.usage) ?? known.cost;
  const speaker = roleOf(message) === 'assistant' ? textOf(message.name) : '';
  const at = message.timestamp ?? message.created_at ?? message.ts ?? known.at;
  return { ...known, at, cost, ...(speaker === '' ? {} : { speaker }) };
}
