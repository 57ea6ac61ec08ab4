import { isObject, textOf } from '@unrut/engine/json';
import type { HookDialect } from '@unrut/reading/hook-payload';
import { returnedWith } from '@unrut/reading/returned-with';
import { claudeLike } from '../claude-code/payload.ts';
import { geminiParts, geminiResult } from '../gemini-cli/parts.ts';
import { toolResponse } from '../gemini-cli/payload.ts';

/** Qwen Code's payloads: Claude Code's events, with results in Gemini CLI's format. */
export const qwenCodePayload: HookDialect = claudeLike({
  ofCall: (payload) => returnedWith({ ...toolResponse(payload), durationMs: payload.duration_ms }),
  ofFailure: ({ tool_name: name, error }) =>
    geminiResult([{ functionResponse: { name, response: { error } } }], 'error'),
  inBatch({ tool_response: response, status }) {
    if (!isObject(response))
      return returnedWith({ result: response, error: status === 'error' ? true : undefined });
    const returned = geminiResult(
      geminiParts(response.response_parts),
      status,
      response.error_type,
    );
    const shown =
      returned.result === undefined && textOf(response.error) !== ''
        ? { result: response.error }
        : {};
    return { ...returned, ...shown, ...(status === 'cancelled' ? { refusedBy: 'user' } : {}) };
  },
});
