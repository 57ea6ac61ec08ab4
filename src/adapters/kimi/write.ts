import type { JsonObject } from '../../json.ts';
import { claudeLikeMeans } from '../claude-code/write.ts';
import type { HookMeans } from '../hook-answer.ts';

/** Kimi waits for its hooks only before a call; of what later hooks print nothing is read. */
export const kimiMeans = (payload: JsonObject): HookMeans | undefined => claudeLikeMeans(payload, { PreToolUse: ['block'] });
