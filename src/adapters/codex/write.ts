import type { JsonObject } from '../../json.ts';
import { claudeLikeMeans } from '../claude-code/write.ts';
import type { HookMeans } from '../hook-answer.ts';

/**
 * No hook of Codex can end a run, and a block after a call would take its result away. Answers with keys that Codex does not expect are
 * dropped as a whole; those of Claude Code that are used here are all known to it.
 */
export const codexMeans = (payload: JsonObject): HookMeans | undefined =>
  claudeLikeMeans(payload, { PreToolUse: ['block'], PostToolUse: ['note', 'hint', 'escalate'] });
