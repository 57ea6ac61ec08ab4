import type { Returned } from '../../importers/importer.ts';
import { isObject, type JsonObject, parsed, textOf } from '../../json.ts';
import { claudeHooks } from '../claude-code/read.ts';
import type { HookCall, HookDialect, HookTold } from '../hook-payload.ts';

/** No payload names its event: each has one of these fields. */
const MARKS = ['toolName', 'prompt', 'source', 'reason', 'stopReason', 'trigger', 'agentName', 'error', 'notificationType', 'message'];
/** What a payload of the first versions may have, which did not name the session. */
const FIRST = new Set(['timestamp', 'cwd', 'toolName', 'toolArgs', 'toolResult', 'prompt', 'source', 'initialPrompt', 'reason', 'error']);

/** The payloads of Copilot's hooks with small event names, which do not hold the name. Its calls have no ids. */
export const copilotHooks: HookDialect = (payload) => {
  const { sessionId: session, timestamp: at, cwd, hook_event_name: event } = payload;
  if (event !== undefined || typeof at !== 'number' || typeof cwd !== 'string' || !MARKS.some((mark) => mark in payload)) return undefined;
  if (typeof session !== 'string' && !Object.keys(payload).every((field) => FIRST.has(field))) return undefined;
  return { session: textOf(session) || undefined, agent: textOf(payload.agentId) || undefined, at, told: toldBy(payload) };
};

/** All payloads of Copilot. It reads Claude Code's settings too, and then tells everything twice: in small and in capital names. */
export const readCopilot: HookDialect = (payload) => {
  const small = copilotHooks(payload);
  if (small) return { ...small, spelling: 'small' };
  const capital = claudeHooks(payload);
  return capital && { ...capital, spelling: 'capital' };
};

function toldBy(payload: JsonObject): HookTold[] {
  const { toolName: tool, toolArgs: args, toolResult: result, error, prompt, transformedPrompt, trigger, reason, response } = payload;
  if (typeof tool === 'string') {
    const call: HookCall = { tool, args: parsed(args) };
    if (isObject(result)) return [{ what: 'returned', call, returned: returnedBy(result) }];
    if (error !== undefined) return [{ what: 'returned', call, returned: { result: error, error: true } }];
    return 'permissionSuggestions' in payload ? [] : [{ what: 'calls', call }];
  }
  if (typeof prompt === 'string') return transformedPrompt === undefined ? [{ what: 'person', text: prompt }] : [];
  if (typeof response === 'string') return response.trim() === '' ? [] : [{ what: 'says', text: response }];
  if (typeof trigger === 'string') return [{ what: 'compacted' }];
  if (typeof reason === 'string') return [{ what: 'ended', outcome: reason }];
  return [];
}

function returnedBy({ resultType, textResultForLlm: text }: JsonObject): Returned {
  if (resultType === 'denied' || resultType === 'rejected')
    return { result: text, error: true, refusedBy: resultType === 'denied' ? 'host' : 'user' };
  return { result: text, ...(resultType === 'failure' || resultType === 'timeout' ? { error: true } : {}) };
}
