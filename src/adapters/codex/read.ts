import { codexResult } from '../../importers/codex/codex-result.ts';
import { claudeHooks, claudeLike } from '../claude-code/read.ts';
import type { HookDialect } from '../hook-payload.ts';

const inTurn = claudeLike({
  ofCall: ({ tool_response: response }) => codexResult(response),
  inBatch: ({ tool_response: response }) => codexResult(response),
});

/** The payloads that Codex gives within a turn, which it names. */
export const codexHooks: HookDialect = (payload) => (typeof payload.turn_id === 'string' ? inTurn(payload) : undefined);

/** All payloads of Codex: those around the turns are as Claude Code's. */
export const readCodex: HookDialect = (payload) => codexHooks(payload) ?? claudeHooks(payload);
