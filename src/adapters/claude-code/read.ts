import { claudeCodeResult } from '../../importers/claude-code/claude-code-result.ts';
import { claudeCodeTyped } from '../../importers/claude-code/claude-code-typed.ts';
import type { Returned } from '../../importers/importer.ts';
import { resultContent } from '../../importers/message-content.ts';
import { isObject, type JsonObject, textOf } from '../../json.ts';
import type { HookCall, HookDialect, HookTold } from '../hook-payload.ts';

const NO_STEPS = new Set(
  (
    'ConfigChange CwdChanged DirectoryAdded Elicitation ElicitationResult ErrorOccurred FileChanged InstructionsLoaded Interrupt ' +
    'MessageDisplay Notification PermissionRequest PostModelSwitch PreModelSwitch Setup StopFailure SubagentStart TaskCompleted TaskCreated ' +
    'SessionDelete TeammateIdle TodoCompleted TodoCreated UserPromptExpansion WorktreeCreate WorktreeRemove'
  ).split(' '),
);
const ENDS = new Set(['Stop', 'SubagentStop']);
const COMPACTIONS = new Set(['PreCompact', 'PostCompact']);
/** Who submits a prompt that no person typed. */
const NO_PERSONS = new Set(['system', 'loop_wakeup', 'schedule_wakeup', 'poll_event']);

/** Where those who speak like Claude Code differ: what came of a call, as a hook of its own and the hook after the response tell it. */
export interface ClaudeResults {
  ofCall(payload: JsonObject): Returned;
  inBatch(call: JsonObject): Returned;
}

/** Reads payloads that are named and shaped like Claude Code's. */
export const claudeLike =
  (results: ClaudeResults): HookDialect =>
  (payload) => {
    const { hook_event_name: event, session_id: session, agent_id: agent, timestamp: at, prompt_id: prompt, turn_id: turn } = payload;
    if (typeof event !== 'string' || typeof session !== 'string') return undefined;
    const told = toldBy(event, payload, results);
    const about = { session, agent: textOf(agent) || undefined, at, turn: textOf(turn) || textOf(prompt) || undefined };
    if (!told) return { ...about, told: [], unknown: event.slice(0, 40) };
    return { ...about, told, ...(event === 'PostToolBatch' ? { isBatch: true } : {}) };
  };

/** The payloads of Claude Code, and of those who speak just like it: Kimi, and Copilot with capital event names. */
export const claudeHooks: HookDialect = claudeLike({
  ofCall: returnedBy,
  inBatch: ({ tool_response: response }) => claudeCodeResult(response),
});

function toldBy(event: string, payload: JsonObject, results: ClaudeResults): HookTold[] | undefined {
  if (event === 'PreToolUse') return [{ what: 'calls', call: callOf(payload) }];
  if (event === 'PostToolUse') return [{ what: 'returned', call: callOf(payload), returned: results.ofCall(payload) }];
  if (event === 'PostToolUseFailure') return [{ what: 'returned', call: callOf(payload), returned: failedBy(payload) }];
  if (event === 'PermissionDenied') {
    const { reason } = payload;
    return [{ what: 'returned', call: callOf(payload), returned: { result: reason, error: true, refusedBy: 'host' } }];
  }
  if (event === 'PostToolBatch') {
    const calls = Array.isArray(payload.tool_calls) ? payload.tool_calls.filter(isObject) : [];
    return calls.map((call) => ({ what: 'returned', call: callOf(call), returned: results.inBatch(call) }));
  }
  if (event === 'UserPromptSubmit') {
    const typed = NO_PERSONS.has(textOf(payload.source)) ? undefined : claudeCodeTyped(payload.prompt);
    return typed === undefined ? [] : [{ what: 'person', text: typed }];
  }
  if (ENDS.has(event)) return said(payload.last_assistant_message);
  if (COMPACTIONS.has(event)) return [{ what: 'compacted' }];
  if (event === 'SessionStart') return payload.source === 'compact' ? [{ what: 'compacted' }] : [];
  if (event === 'SessionEnd') return [{ what: 'ended', outcome: textOf(payload.reason) || undefined }];
  return NO_STEPS.has(event) ? [] : undefined;
}

const said = (text: unknown): HookTold[] => (textOf(text).trim() === '' ? [] : [{ what: 'says', text: textOf(text) }]);

/** Kimi and Qwen Code know a call by the model's id for it; Qwen Code has another one besides, which not all of its hooks give. */
const callOf = ({ tool_use_id: id, tool_call_id: models, tool_name: tool, tool_input: args }: JsonObject): HookCall => ({
  id: textOf(models) || textOf(id) || undefined,
  tool: textOf(tool),
  args,
});

/** What a call that succeeded brought, in a form of the tool's own. */
function returnedBy({ tool_response: response, tool_output: output, tool_result: result, duration_ms: duration }: JsonObject): Returned {
  const brought = response ?? output ?? (isObject(result) ? (result.text_result_for_llm ?? result) : result);
  return {
    ...(brought === undefined ? {} : { result: resultContent(brought) }),
    ...(typeof duration === 'number' ? { durationMs: duration } : {}),
  };
}

function failedBy({ error, duration_ms: duration, is_interrupt: isInterrupt }: JsonObject): Returned {
  return {
    ...claudeCodeResult(isObject(error) ? error.message : error, true),
    ...(typeof duration === 'number' ? { durationMs: duration } : {}),
    ...(isInterrupt === true ? { refusedBy: 'user' } : {}),
  };
}
