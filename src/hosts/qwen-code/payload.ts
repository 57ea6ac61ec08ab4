import { isObject, type JsonObject, textOf } from '../../json.ts';
import { claudeLike } from '../claude-code/payload.ts';
import { geminiParts, geminiResult } from '../gemini-cli/parts.ts';
import { toolResponse } from '../gemini-cli/payload.ts';
import type { HookDialect } from '../reading/hook-payload.ts';
import type { Returned } from '../reading/importer.ts';

/** The payloads of Qwen Code: Claude Code's events, with results as Gemini CLI keeps them. */
export const qwenCodePayload: HookDialect = claudeLike({
  ofCall: (payload) => ({ ...toolResponse(payload), ...lasted(payload) }),
  ofFailure: ({ tool_name: name, error }) => geminiResult([{ functionResponse: { name, response: { error } } }], 'error'),
  inBatch({ tool_response: response, status }) {
    if (!isObject(response))
      return { ...(response === undefined ? {} : { result: response }), ...(status === 'error' ? { error: true } : {}) };
    const returned = geminiResult(geminiParts(response.response_parts), status, response.error_type);
    const shown = returned.result === undefined && textOf(response.error) !== '' ? { result: response.error } : {};
    return { ...returned, ...shown, ...(status === 'cancelled' ? { refusedBy: 'user' } : {}) };
  },
});

const lasted = ({ duration_ms: duration }: JsonObject): Returned => (typeof duration === 'number' ? { durationMs: duration } : {});
