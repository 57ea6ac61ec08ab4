import { geminiParts, geminiResult } from '../../importers/gemini-cli/gemini-parts.ts';
import type { Returned } from '../../importers/importer.ts';
import { isObject, type JsonObject, textOf } from '../../json.ts';
import { claudeLike } from '../claude-code/read.ts';
import { toolResponse } from '../gemini-cli/read.ts';
import type { HookDialect } from '../hook-payload.ts';

/** The payloads of Qwen Code: Claude Code's events, with results as Gemini CLI keeps them. */
export const qwenHooks: HookDialect = claudeLike({
  ofCall: (payload) => ({ ...toolResponse(payload), ...lasted(payload) }),
  inBatch({ tool_response: response, status }) {
    if (!isObject(response))
      return { ...(response === undefined ? {} : { result: response }), ...(status === 'error' ? { error: true } : {}) };
    const returned = geminiResult(geminiParts(response.response_parts), status, response.error_type);
    const shown = returned.result === undefined && textOf(response.error) !== '' ? { result: response.error } : {};
    return { ...returned, ...shown, ...(status === 'cancelled' ? { refusedBy: 'user' } : {}) };
  },
});

const lasted = ({ duration_ms: duration }: JsonObject): Returned => (typeof duration === 'number' ? { durationMs: duration } : {});
