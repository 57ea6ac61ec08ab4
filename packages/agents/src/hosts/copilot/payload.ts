import { isObject, type JsonObject, parsed, textOf } from '@unrut/engine/json';
import { withoutExitLine } from '@unrut/reading/exit-line';
import {
  type HookCall,
  type HookDialect,
  type HookTold,
  spoken,
} from '@unrut/reading/hook-payload';
import type { Returned } from '@unrut/reading/importer';
import { claudePayload } from '../claude-code/payload.ts';

/** Payloads do not name their event; each has one of these fields. */
const MARKS = [
  'toolName',
  'prompt',
  'source',
  'reason',
  'stopReason',
  'trigger',
  'agentName',
  'error',
  'notificationType',
  'message',
];
/** Possible fields of the first versions, which did not name the session. */
const FIRST = new Set([
  'timestamp',
  'cwd',
  'toolName',
  'toolArgs',
  'toolResult',
  'prompt',
  'source',
  'initialPrompt',
  'reason',
  'error',
]);

/**
 * Whether a payload comes from Copilot's hooks with lower-case names, which it does not contain.
 */
export function isSmall(payload: JsonObject): boolean {
  const { sessionId: session, timestamp: at, cwd, hook_event_name: event } = payload;
  if (
    event !== undefined ||
    typeof at !== 'number' ||
    typeof cwd !== 'string' ||
    !MARKS.some((mark) => mark in payload)
  )
    return false;
  return typeof session === 'string' || Object.keys(payload).every((field) => FIRST.has(field));
}

/**
 * Copilot also reads Claude Code's settings, and then sends each event twice: with lower-case and
 * with capitalised names.
 */
export const copilotPayload: HookDialect = (payload) => {
  const { sessionId: session, timestamp: at, agentId: agent } = payload;
  if (isSmall(payload))
    return {
      session: textOf(session) || undefined,
      agent: textOf(agent) || undefined,
      at,
      told: toldBy(payload),
      spelling: 'small',
    };
  const capital = claudePayload(payload);
  return capital && { ...capital, spelling: 'capital' };
};

function toldBy(payload: JsonObject): HookTold[] {
  const {
    toolName: tool,
    toolArgs: args,
    toolResult: result,
    error,
    prompt,
    transformedPrompt,
    trigger,
    reason,
    response,
  } = payload;
  if (typeof tool === 'string') {
    const call: HookCall = { tool, args: parsed(args) };
    if (isObject(result)) return [{ what: 'returned', call, returned: returnedBy(result) }];
    if (error !== undefined)
      return [{ what: 'returned', call, returned: { result: error, error: true } }];
    return 'permissionSuggestions' in payload ? [] : [{ what: 'calls', call }];
  }
  if (typeof prompt === 'string')
    return transformedPrompt === undefined ? [{ what: 'person', text: prompt }] : [];
  if (typeof response === 'string') return spoken('says', response);
  if (typeof trigger === 'string') return [{ what: 'compacted' }];
  if (typeof reason === 'string') return [{ what: 'ended', outcome: reason }];
  return [];
}

/** Each command's shell has a new number. */
const EXIT = /\s*<shellId: \S+ completed with exit code (\d+)>$/;

function returnedBy({ resultType, textResultForLlm: text }: JsonObject): Returned {
  if (resultType === 'denied' || resultType === 'rejected')
    return { result: text, error: true, refusedBy: resultType === 'denied' ? 'host' : 'user' };
  return {
    ...withoutExitLine(text, EXIT),
    ...(resultType === 'failure' || resultType === 'timeout' ? { error: true } : {}),
  };
}
