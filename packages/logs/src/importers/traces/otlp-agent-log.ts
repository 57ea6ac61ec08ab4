import { codexResult } from '@unrut/agents/hosts/codex/result';
import { isObject, type JsonObject, parsed, present, textOf } from '@unrut/engine/json';
import type { ImportMoment, Returned } from '@unrut/reading/importer';
import { amount, spent } from '@unrut/reading/response-cost';
import { returnedWith } from '@unrut/reading/returned-with';
import { firstOf, textIn } from './otlp-attributes.ts';
import { readMessages } from './trace-message.ts';
import type { ModelTurn, Told, ToolRun } from './trace-part.ts';

/** Coding agents whose log records use similar events. */
const AGENTS = /^(?:claude_code|codex|gemini_cli|qwen-code)\./;

/**
 * The event of a coding agent's log record, such as `codex.tool_result`; undefined for other
 * records.
 */
export const agentEvent = (body: unknown, attributes: JsonObject): string | undefined =>
  [body, attributes['event.name']].map(textOf).find((name) => AGENTS.test(name));

/** Reads a log record of Claude Code, Codex, Gemini CLI or Qwen Code. Most describe no steps. */
export function readAgentEvent(event: string, attributes: JsonObject): Told | undefined {
  switch (event.replace(AGENTS, '')) {
    case 'user_prompt':
      return agentPrompt(attributes.prompt ?? attributes.prompt_text);
    case 'tool_result':
    case 'tool_call':
      return {
        kind: 'tool',
        ...agentCall(attributes),
        returned: { ...resultOf(event, attributes), ...refusal(attributes) },
      };
    case 'tool_decision': {
      const refused = refusal(attributes);
      return refused && { kind: 'tool', ...agentCall(attributes), returned: refused };
    }
    case 'api_request':
    case 'api_response':
    case 'sse_event':
    case 'assistant_response':
      return turnOf(attributes);
    case 'compaction':
    case 'chat_compression':
      return { kind: 'compacted' };
    default:
      return undefined;
  }
}

/** The prompt of a turn, if the user typed it. */
export function agentPrompt(prompt: unknown): Told | undefined {
  const text = textOf(prompt);
  return /^\s*<(?:task-notification|system-reminder|local-command-\w+)\b/.test(text)
    ? undefined
    : { kind: 'person', text };
}

/** The call in a coding agent's attributes. */
export function agentCall(attributes: JsonObject): Pick<ToolRun, 'call' | 'tool' | 'args'> {
  const call = textIn(attributes, ['tool_use_id', 'call_id']);
  const tool = textIn(attributes, ['tool_name', 'function_name']);
  const args = argumentsOf(attributes);
  return {
    ...present({ call, tool }),
    ...(args === undefined ? {} : { args }),
  };
}

/** Claude Code cuts long input values except the command; other telemetry has only the command. */
function argumentsOf(attributes: JsonObject): unknown {
  const input = parsed(firstOf(attributes, ['tool_input', 'function_args', 'arguments']));
  const parameters = parsed(attributes.tool_parameters);
  const more = isObject(parameters) ? parameters : attributes;
  const command = textOf(more.full_command);
  if (isObject(input)) return command === '' ? input : { ...input, command };
  if (input !== undefined) return input;
  const path = textOf(attributes.file_path);
  if (command === '' && path === '') return undefined;
  return command === ''
    ? { file_path: path }
    : { command, ...(more.description === undefined ? {} : { description: more.description }) };
}

function resultOf(event: string, attributes: JsonObject): Returned {
  const isFailed = attributes.success === 'false' || attributes.success === false;
  const result = attributes.output;
  const error = result === undefined ? textOf(attributes.error) || true : true;
  return {
    ...(event.startsWith('codex.') ? codexResult(result) : returnedWith({ result })),
    ...returnedWith({
      error: isFailed ? error : undefined,
      durationMs: amount(attributes.duration_ms),
    }),
  };
}

/** Who rejected a call, if it was rejected. */
export function refusal({ decision, source }: JsonObject): Returned | undefined {
  if (decision !== 'reject' && decision !== 'denied' && decision !== 'abort') return undefined;
  // Gemini CLI names no source; it asks the user.
  return {
    error: true,
    refusedBy: source === undefined || textOf(source).startsWith('user') ? 'user' : 'host',
  };
}

/** Requests that the host makes for itself. */
const ASIDE = /title|summar|suggest|compact|memory|classif|topic/i;

function turnOf(attributes: JsonObject): ModelTurn | undefined {
  if (ASIDE.test(textOf(attributes.query_source))) return undefined;
  // Gemini CLI logs a whole response as JSON chunks.
  const pieces = readMessages(attributes.response_text, 'assistant').map(({ text }) => text);
  const says = textOf(attributes.response) || pieces.join('');
  const { cost } = agentCost(attributes);
  if (says === '' && cost === undefined) return undefined;
  return {
    kind: 'model',
    ...(says === '' ? {} : { says }),
    ...present({ cost }),
    beside: true,
  };
}

/**
 * The cost of a coding agent's request. Claude Code counts cached tokens separately from the input,
 * the others as part of it.
 */
export function agentCost(attributes: JsonObject): { cost?: ImportMoment['cost'] } {
  const written = amount(attributes.cache_creation_tokens) ?? 0;
  const input = amount(attributes.input_tokens);
  const cost = spent({
    input: input === undefined ? attributes.input_token_count : input + written,
    cached: firstOf(attributes, ['cached_token_count', 'cached_content_token_count']),
    output: firstOf(attributes, ['output_tokens', 'output_token_count']),
    usd: attributes.cost_usd,
  });
  return cost === undefined ? {} : { cost };
}
