import { type JsonObject, present, textOf } from '@unrut/engine/json';
import { spent } from '@unrut/reading/response-cost';
import type { Span } from './otlp-attributes.ts';
import { firstOf, spreadList, textIn, unpacked } from './otlp-attributes.ts';
import { readMessages, type TraceMessage } from './trace-message.ts';
import { heardIn, modelTurn, type Told, toolRun } from './trace-part.ts';

/** Spans of Arize's OpenInference. */
export function readOpenInference({ name, attributes, error, durationMs }: Span): Told | undefined {
  switch (textOf(attributes['openinference.span.kind']).toUpperCase()) {
    case 'TOOL':
      return toolRun({
        call: textIn(attributes, ['tool.id', 'tool_call.id']),
        tool: textIn(attributes, ['tool.name']) ?? name,
        args: unpacked(firstOf(attributes, ['tool_call.function.arguments', 'input.value'])),
        output: sideOf(attributes, 'output'),
        error,
        durationMs,
      });
    case 'LLM': {
      const cost = spent({
        input: attributes['llm.token_count.prompt'],
        cached: attributes['llm.token_count.prompt_details.cache_read'],
        output: attributes['llm.token_count.completion'],
        usd: attributes['llm.cost.total'],
      });
      return modelTurn(messagesOf(attributes, 'input'), messagesOf(attributes, 'output'), cost);
    }
    case 'AGENT': {
      const agent = textIn(attributes, ['agent.name', 'graph.node.id']);
      const heard = heardIn(
        readMessages(
          attributes['input.value'],
          attributes['input.mime_type'] === 'text/plain' ? 'user' : undefined,
        ),
      );
      return { kind: 'agent', ...present({ name: agent }), heard };
    }
    default:
      return undefined;
  }
}

/** The JSON is complete; attributes with spread messages may lack call ids. */
function messagesOf(attributes: JsonObject, side: 'input' | 'output'): TraceMessage[] {
  const value = attributes[`${side}.value`];
  const sent = attributes[`${side}.mime_type`] === 'application/json' ? readMessages(value) : [];
  if (sent.length > 0) return sent;
  const spread = spreadList(attributes, `llm.${side}_messages`);
  return spread
    ? readMessages(spread)
    : readMessages(value, side === 'output' ? 'assistant' : undefined);
}

/** Text is not parsed, even if it looks like JSON. */
const sideOf = (attributes: JsonObject, side: 'input' | 'output'): unknown =>
  attributes[`${side}.mime_type`] === 'text/plain'
    ? attributes[`${side}.value`]
    : unpacked(attributes[`${side}.value`]);
