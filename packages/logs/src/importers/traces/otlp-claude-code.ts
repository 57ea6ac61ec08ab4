import { type JsonObject, textOf } from '@unrut/engine/json';
import type { Returned } from '@unrut/reading/importer';
import { amount } from '@unrut/reading/response-cost';
import { returnedWith } from '@unrut/reading/returned-with';
import { agentCall, agentCost, agentPrompt, refusal } from './otlp-agent-log.ts';
import type { Span } from './otlp-attributes.ts';
import type { Told } from './trace-part.ts';

/**
 * Claude Code's spans. A call has three: the whole call, the wait for permission, and the
 * execution.
 */
export function readClaudeCodeSpan({ name, attributes, events }: Span): Told | undefined {
  switch (name) {
    case 'claude_code.interaction':
      return agentPrompt(attributes.user_prompt);
    case 'claude_code.llm_request':
      // Requests for titles and summaries are not part of the agent's turns.
      return attributes['llm_request.context'] === 'standalone'
        ? undefined
        : { kind: 'model', ...agentCost(attributes) };
    case 'claude_code.tool':
      return {
        kind: 'tool',
        ...agentCall(attributes),
        returned: output(events.find((event) => event.name === 'tool.output')?.attributes),
      };
    case 'claude_code.tool.execution':
      return { kind: 'tool', ...agentCall(attributes), returned: executed(attributes) };
    case 'claude_code.tool.blocked_on_user': {
      const refused = refusal(attributes);
      return refused && { kind: 'tool', returned: refused };
    }
    default:
      return undefined;
  }
}

const executed = ({ duration_ms, success, error }: JsonObject): Returned =>
  returnedWith({
    error: success === false ? textOf(error) || true : undefined,
    durationMs: amount(duration_ms),
  });

/** The output is an attribute next to the tool's input. */
function output(attributes: JsonObject | undefined): Returned {
  if (!attributes) return {};
  const { bash_command: _, file_path: __, ...rest } = attributes;
  return { result: rest.output ?? rest.content ?? rest };
}
