import { isObject, type JsonObject, textOf } from '@unrut/engine/json';
import type { Importer } from '@unrut/reading/importer';
import { kindOf } from '@unrut/reading/run-documents';
import { callNumbering, tellResponse } from './response.ts';

const KINDS = new Set(['step_start', 'reasoning', 'text', 'tool_use', 'step_finish']);

const isPart = (record: unknown): record is JsonObject & { part: JsonObject } =>
  isObject(record) && KINDS.has(record.type as string) && isObject(record.part);

/**
 * The output of `opencode run --format json`: one line per finished part. It does not contain the
 * user's prompt.
 */
export const opencodeStream: Importer = {
  name: 'opencode-stream',
  reads: '`opencode run --format json`',
  sample: 'recorded, 1.18',
  recognises: (first) =>
    first.some((record) => isPart(record) && typeof record.part.messageID === 'string'),
  open(source) {
    // Usage comes at the end of a response, and parallel calls come as they finish, so responses
    // are emitted when complete.
    let session = '';
    let message = '';
    let parts: JsonObject[] = [];
    let responses = 0;
    const numbered = callNumbering();

    function tell(): void {
      if (parts.length === 0) return;
      parts.sort((one, other) => (textOf(one.id) < textOf(other.id) ? -1 : 1));
      tellResponse(
        source.run(session || source.name),
        `${message}#${responses++}`,
        parts,
        source,
        numbered,
      );
      parts = [];
    }

    return {
      read(record) {
        if (!isPart(record)) {
          // An error ends the run without a step.
          if (!isObject(record) || record.type !== 'error') source.unknown(kindOf(record));
          return;
        }
        const { part } = record;
        if (
          textOf(record.sessionID) !== session ||
          textOf(part.messageID) !== message ||
          record.type === 'step_start'
        )
          tell();
        session = textOf(record.sessionID);
        message = textOf(part.messageID);
        parts.push(part);
      },
      end: tell,
    };
  },
};
