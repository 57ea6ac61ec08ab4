import { isObject, type JsonObject } from '@unrut/engine/json';
import type { HookDialect } from '@unrut/reading/hook-payload';
import { claudeLike, claudePayload } from '../claude-code/payload.ts';
import { codexResult } from './result.ts';
import { scriptCall } from './script.ts';

const inTurn = claudeLike({
  ofCall: ({ tool_response: response }) => codexResult(response),
  inBatch: ({ tool_response: response }) => codexResult(response),
  called(tool, args) {
    // Hooks use Claude Code's name for the shell; the model uses another.
    if (tool === 'Bash') return { tool: 'exec_command', args };
    // In code mode the tool is a script that calls the others.
    return tool === 'exec' ? scriptCall(isObject(args) ? args.input : args) : undefined;
  },
});

/** Whether the payload belongs to a turn. */
export const isInTurn = ({ turn_id: turn }: JsonObject): boolean => typeof turn === 'string';

/** Payloads around the turns are as Claude Code's. */
export const codexPayload: HookDialect = (payload) =>
  isInTurn(payload) ? inTurn(payload) : claudePayload(payload);
