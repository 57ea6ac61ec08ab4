import { isObject, type JsonObject, objectOf, objectsOf, parsed, textOf } from '@unrut/engine/json';
import type { ImportedRun, Importer, ImportMoment, Returned } from '@unrut/reading/importer';
import { costOnFirst, spentIn } from '@unrut/reading/response-cost';
import { returnedWith } from '@unrut/reading/returned-with';
import { kindOf } from '@unrut/reading/run-documents';

/** Record types that hold no step: whole families, and single types of others. */
const SILENT = new Set(
  'abort auto_mode_switch capabilities command commands elicitation exit_plan_mode external_tool factory hook mcp mcp_app model pending_messages permission result sampling session session_limits_exhausted skill subagent system tool_search ui user_input assistant.idle assistant.intent assistant.reasoning assistant.turn_end assistant.turn_start tool.execution_partial_result tool.execution_progress'.split(
    ' ',
  ),
);

const USAGE = { input: 'inputTokens', cached: 'cacheReadTokens', output: 'outputTokens' };

/**
 * GitHub Copilot CLI: `~/.copilot/session-state/<id>/events.jsonl`, and the output of
 * `--output-format json`.
 */
export const copilotTranscript: Importer = {
  name: 'copilot',
  reads:
    "GitHub Copilot CLI's `events.jsonl` in `~/.copilot/session-state`, and its `--output-format json`",
  sample: 'recorded, 1.0',
  version: { tried: '1.0', at: 'data.copilotVersion' },
  recognises: (first) => first.some(isRecord),
  open(source) {
    let session: string | undefined;
    /** The cost of each agent's next message. */
    const costs = new Map<string | undefined, ImportMoment['cost']>();
    /** Proposed calls, which are reported again when they start. */
    const asked = new Set<string>();

    function say(run: ImportedRun, data: JsonObject, first: ImportMoment): void {
      const moment = costOnFirst(first);
      const { reasoningText, content, toolRequests, messageId } = data;
      if (textOf(reasoningText).trim() !== '') run.thinks(textOf(reasoningText), moment());
      if (textOf(content).trim() !== '') run.says(textOf(content), moment());
      for (const request of objectsOf(toolRequests)) {
        const id = textOf(request.toolCallId);
        asked.add(id);
        run.calls(
          {
            id,
            tool: textOf(request.name),
            args: parsed(request.arguments),
            batch: textOf(messageId),
          },
          moment(),
        );
      }
    }

    return {
      read(record) {
        const { type, timestamp: at, ephemeral, agentId } = objectOf(record);
        const data = objectOf(objectOf(record).data);
        // Partial texts are repeated in full.
        if (ephemeral === true) return;
        // Earlier versions named nested agents by the call that started them.
        const agent = textOf(agentId) || textOf(data.parentToolCallId) || undefined;
        const id = textOf(data.toolCallId);
        switch (type) {
          case 'session.start':
            session = textOf(data.sessionId) || undefined;
            break;
          case 'user.message':
            if (agent === undefined && isTyped(data))
              source.run(session).person(textOf(data.content), { at });
            break;
          case 'session.usage_record':
          case 'assistant.usage':
            costs.set(agent, spentIn(data.usage ?? data, USAGE));
            break;
          case 'assistant.message':
            say(source.run(session, agent), data, { at, cost: costs.get(agent) });
            costs.delete(agent);
            break;
          case 'tool.user_requested':
            asked.add(id);
            source.run(session, agent).person(commandOf(data), { at });
            break;
          case 'tool.execution_start':
            if (asked.delete(id)) break;
            source
              .run(session, agent)
              .calls({ id, tool: textOf(data.toolName), args: parsed(data.arguments) }, { at });
            break;
          case 'tool.execution_complete':
            source.run(session, agent).returns(id, copilotResult(data), { at });
            break;
          case 'session.compaction_complete':
            if (data.success !== false) source.run(session, agent).compacted({ at });
            break;
          default:
            if (!SILENT.has(textOf(type)) && !SILENT.has(textOf(type).split('.')[0]!))
              source.unknown(kindOf(record));
        }
      },
    };
  },
};

function isRecord(record: unknown): boolean {
  if (!isObject(record) || !isObject(record.data)) return false;
  const { type, data } = record;
  if (type === 'session.start') return typeof data.sessionId === 'string';
  return (
    /^(?:session|user|assistant|tool|system)\.\w/.test(textOf(type)) &&
    'parentId' in record &&
    typeof record.timestamp === 'string'
  );
}

/** Skills, other agents and the autopilot also write user messages, which are marked. */
const isTyped = ({ source, isAutopilotContinuation }: JsonObject): boolean =>
  (source === undefined || source === null || source === 'user') &&
  isAutopilotContinuation !== true;

const commandOf = ({ toolName, arguments: args }: JsonObject): string =>
  `!${isObject(args) && typeof args.command === 'string' ? args.command : textOf(toolName)}`;

/** The outcome of a call, from the data of `tool.execution_complete`. */
function copilotResult({
  success,
  result,
  error,
  shellExecution,
  toolTelemetry,
}: JsonObject): Returned {
  const content = isObject(result) ? (result.content ?? result) : result;
  const { exitCode } = objectOf(shellExecution);
  if (success !== false) return returnedWith({ result: content, exitCode });
  const { message, code } = isObject(error) ? error : { message: error };
  return returnedWith({
    result: content ?? message,
    error: true,
    exitCode,
    refusedBy: refuser(textOf(message), code, toolTelemetry),
  });
}

function refuser(message: string, code: unknown, telemetry: unknown): Returned['refusedBy'] {
  if (code === 'rejected') return 'user';
  if (code === 'denied') return 'host';
  if (/^Tool '[^']*' does not exist/.test(message)) return 'unknown-tool';
  const { wasSyntaxError } = objectOf(objectOf(telemetry).properties);
  // Errors about arguments begin with an argument's name.
  return wasSyntaxError === 'true' ||
    /^"[^"]*": (?:Required|Expected|Invalid|Unrecognized)/.test(message)
    ? 'schema'
    : undefined;
}
