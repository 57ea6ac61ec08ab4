import { isObject, type JsonObject, present, textOf } from '@unrut/engine/json';
import { spent } from '@unrut/reading/response-cost';
import type { Span } from './otlp-attributes.ts';
import { firstOf, spreadList, textIn, unpacked } from './otlp-attributes.ts';
import { readMessage, readMessages, type TraceMessage } from './trace-message.ts';
import { heardIn, type ModelTurn, modelTurn, type Told, toolRun } from './trace-part.ts';

const MODEL = new Set(['chat', 'generate_content', 'text_completion', 'llm_call', 'call_llm']);
const TOOL = new Set(['execute_tool', 'tool_call']);

const CALL = ['gen_ai.tool.call.id', 'gen_ai.tool.call_id'];
const ARGUMENTS = [
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.arguments',
  'tool_arguments',
  'gcp.vertex.agent.tool_call_args',
];
const RESULT = [
  'gen_ai.tool.call.result',
  'gen_ai.tool.result',
  'tool_response',
  'gcp.vertex.agent.tool_response',
];

const INPUT = ['gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens'];
const OUTPUT = ['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens'];
const CACHED = ['gen_ai.usage.cache_read.input_tokens', 'gen_ai.usage.cache_read_input_tokens'];

const PROMPT = ['gen_ai.input.messages', 'gcp.vertex.agent.llm_request', 'gen_ai.prompt'];
const ANSWER = ['gen_ai.output.messages', 'gcp.vertex.agent.llm_response', 'gen_ai.completion'];

/** Attributes that identify a model's span without an operation name. */
const ANSWERED = [...INPUT, ...OUTPUT, ...ANSWER, 'gen_ai.completion.0.role'];

/**
 * Spans of OpenTelemetry's GenAI and MCP conventions, current and former, and of libraries that
 * extend them.
 */
export function readGenAi(span: Span): Told | undefined {
  const { name, attributes, error, durationMs } = span;
  const operation = textOf(attributes['gen_ai.operation.name']);
  const isTool =
    TOOL.has(operation) || (operation === '' && attributes['gen_ai.tool.name'] !== undefined);
  if (isTool || attributes['mcp.method.name'] === 'tools/call') {
    const tool =
      textIn(attributes, ['gen_ai.tool.name']) ??
      name.replace(/^(?:execute_tool|tools\/call) /, '');
    const [asked, chosen] = ['gen_ai.tool.message', 'gen_ai.choice'].map(
      (each) => span.events.find((event) => event.name === each)?.attributes,
    );
    const args = unpacked(firstOf(attributes, ARGUMENTS) ?? asked?.content);
    const output = unpacked(firstOf(attributes, RESULT) ?? chosen?.message);
    return toolRun({ call: textIn(attributes, CALL), tool, args, output, error, durationMs });
  }
  if (attributes['traceloop.span.kind'] === 'tool') {
    const given = unpacked(attributes['traceloop.entity.input']);
    const args = isObject(given) ? (given.inputs ?? given.kwargs ?? given) : given;
    const output = unpacked(attributes['traceloop.entity.output']);
    return toolRun({
      tool: textIn(attributes, ['traceloop.entity.name']) ?? name,
      args,
      output,
      error,
      durationMs,
    });
  }
  const isModel =
    MODEL.has(operation) || (operation === '' && firstOf(attributes, ANSWERED) !== undefined);
  if (isModel) return genAiTurn(attributes, span.events);
  if (operation !== 'invoke_agent') return undefined;
  const agent = textIn(attributes, ['gen_ai.agent.name']);
  return {
    kind: 'agent',
    ...present({ name: agent }),
    heard: heardIn(promptOf(attributes, span.events)),
  };
}

/** A model's turn, from the attributes and events of its span, or from a single event. */
export function genAiTurn(attributes: JsonObject, events: Span['events']): ModelTurn {
  const usd = textIn(attributes, ['gen_ai.usage.cost', 'operation.cost']);
  const [input, cached, output] = [INPUT, CACHED, OUTPUT].map((names) =>
    firstOf(attributes, names),
  );
  const answer = spreadList(attributes, 'gen_ai.completion') ?? firstOf(attributes, ANSWER);
  const chosen = events.flatMap((event) =>
    event.name === 'gen_ai.choice' ? eventMessages(event.name, event.attributes) : [],
  );
  const answers = answer === undefined ? chosen : readMessages(answer, 'assistant');
  return modelTurn(promptOf(attributes, events), answers, spent({ input, cached, output, usd }));
}

function promptOf(attributes: JsonObject, events: Span['events']): TraceMessage[] {
  const prompt = spreadList(attributes, 'gen_ai.prompt') ?? firstOf(attributes, PROMPT);
  if (prompt !== undefined) return readMessages(prompt);
  return events.flatMap(({ name, attributes: fields }) =>
    name === 'gen_ai.choice' ? [] : eventMessages(name, fields),
  );
}

/**
 * The messages of an event (`gen_ai.user.message`, `gen_ai.choice`, …), from its body or its
 * attributes.
 */
export function eventMessages(name: string, fields: JsonObject): TraceMessage[] {
  const inner = unpacked(fields['gen_ai.event.content']);
  const given = isObject(inner) ? inner : fields;
  if (name === 'gen_ai.choice') return readMessages(given.message ?? given, 'assistant');
  const role = /^gen_ai\.(system|user|assistant|tool)\.message$/.exec(name)?.[1];
  if (role === undefined) return [];
  const blocks = unpacked(given.content);
  return [readMessage({ ...given, role, content: Array.isArray(blocks) ? blocks : given.content })];
}
