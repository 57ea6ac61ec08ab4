import { claudeCodeResult } from '../claude-code/claude-code-result.ts';
import { claudeCodeTyped } from '../claude-code/claude-code-typed.ts';
import { codexResult } from '../codex/codex-result.ts';
import type { Returned } from '../importer.ts';
import { isObject, type JsonObject, textOf } from '../json.ts';
import { resultContent } from '../message-content.ts';
import type { HookCall, HookDialect, HookTold } from './hook-dialect.ts';

const NO_STEPS = new Set(
  (
    'ConfigChange CwdChanged DirectoryAdded Elicitation ElicitationResult ErrorOccurred FileChanged InstructionsLoaded Interrupt ' +
    'MessageDisplay Notification PermissionRequest PostModelSwitch PreModelSwitch Setup StopFailure SubagentStart TaskCompleted TaskCreated ' +
    'TeammateIdle UserPromptExpansion WorktreeCreate WorktreeRemove'
  ).split(' '),
);
const ENDS = new Set(['Stop', 'SubagentStop']);
const COMPACTIONS = new Set(['PreCompact', 'PostCompact']);
/** Who submits a prompt that no person typed. */
const NO_PERSONS = new Set(['system', 'loop_wakeup', 'schedule_wakeup', 'poll_event']);

/** The payloads of Claude Code, and of those who speak like it: Codex, Copilot (with capital event names), Qwen Code, Kimi, Crush. */
export const claudeHooks: HookDialect = (payload) => {
  const { hook_event_name: event, session_id: session, agent_id: agent, timestamp: at } = payload;
  if (typeof event !== 'string' || typeof session !== 'string') return undefined;
  const told = toldBy(event, payload);
  const about = { session, agent: textOf(agent) || undefined, at };
  return told ? { ...about, told } : { ...about, told: [], unknown: event.slice(0, 40) };
};

function toldBy(event: string, payload: JsonObject): HookTold[] | undefined {
  if (event === 'PreToolUse') return [{ what: 'calls', call: callOf(payload) }];
  if (event === 'PostToolUse') return [{ what: 'returned', call: callOf(payload), returned: returnedBy(payload) }];
  if (event === 'PostToolUseFailure') return [{ what: 'returned', call: callOf(payload), returned: failedBy(payload) }];
  if (event === 'PermissionDenied') {
    const { reason } = payload;
    return [{ what: 'returned', call: callOf(payload), returned: { result: reason, error: true, refusedBy: 'host' } }];
  }
  if (event === 'PostToolBatch') {
    const calls = Array.isArray(payload.tool_calls) ? payload.tool_calls.filter(isObject) : [];
    return calls.map((call) => ({ what: 'returned', call: callOf(call), returned: claudeCodeResult(call.tool_response) }));
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

const callOf = ({ tool_use_id: id, tool_call_id: other, tool_name: tool, tool_input: args }: JsonObject): HookCall => ({
  id: textOf(id) || textOf(other) || undefined,
  tool: textOf(tool),
  args,
});

/** What a call that succeeded brought, in a form of the tool's own. Payloads of Codex are known by their turn. */
function returnedBy(payload: JsonObject): Returned {
  const { tool_response: response, tool_output: output, tool_result: result, duration_ms: duration } = payload;
  const brought = response ?? output ?? (isObject(result) ? (result.text_result_for_llm ?? result) : result);
  if (typeof payload.turn_id === 'string') return codexResult(brought);
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
