import { textOf } from '@unrut/engine/json';
import { spent } from '@unrut/reading/response-cost';
import type { Span } from './otlp-attributes.ts';
import { firstOf, textIn, unpacked } from './otlp-attributes.ts';
import { readMessage, readMessages } from './trace-message.ts';
import { heardIn, modelTurn, type Told, toolRun } from './trace-part.ts';

/** The AI SDK's own spans: up to version 6, and later those of `LegacyOpenTelemetry`. */
export function readAiSdk({ attributes, error, durationMs }: Span): Told | undefined {
  const operation = textOf(attributes['ai.operationId']);
  if (operation === 'ai.toolCall') {
    return toolRun({
      call: textIn(attributes, ['ai.toolCall.id']),
      tool: textOf(attributes['ai.toolCall.name']),
      args: unpacked(firstOf(attributes, ['ai.toolCall.args', 'ai.toolCall.input'])),
      output: unpacked(firstOf(attributes, ['ai.toolCall.result', 'ai.toolCall.output'])),
      error,
      durationMs,
    });
  }
  if (/\.do(?:Generate|Stream)$/.test(operation)) {
    const answer = readMessage({
      role: 'assistant',
      content: textIn(attributes, ['ai.response.text', 'ai.response.object']),
      reasoning: attributes['ai.response.reasoning'],
      tool_calls: unpacked(attributes['ai.response.toolCalls']),
    });
    const input = firstOf(attributes, [
      'ai.usage.inputTokens',
      'ai.usage.promptTokens',
      'gen_ai.usage.input_tokens',
    ]);
    const output = firstOf(attributes, [
      'ai.usage.outputTokens',
      'ai.usage.completionTokens',
      'gen_ai.usage.output_tokens',
    ]);
    const cost = spent({ input, output, cached: attributes['ai.usage.cachedInputTokens'] });
    return modelTurn(readMessages(attributes['ai.prompt.messages']), [answer], cost);
  }
  if (!/^ai\.(?:generate|stream)/.test(operation)) return undefined;
  return { kind: 'agent', heard: heardIn(readMessages(attributes['ai.prompt'], 'user')) };
}
