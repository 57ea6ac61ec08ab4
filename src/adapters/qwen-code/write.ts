import type { JsonObject } from '../../json.ts';
import { claudeLikeMeans } from '../claude-code/write.ts';
import type { HookMeans } from '../hook-answer.ts';

/** Answers are as Claude Code's, but `continue: false` only takes the result away, and what is meant for a person goes to a log. */
export const qwenCodeMeans = (payload: JsonObject): HookMeans | undefined =>
  claudeLikeMeans(payload, {
    PreToolUse: ['block'],
    PostToolUse: ['note', 'hint'],
    PostToolUseFailure: ['note', 'hint'],
    PostToolBatch: ['note', 'hint'],
  });
