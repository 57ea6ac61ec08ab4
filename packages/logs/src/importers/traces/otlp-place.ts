import type { JsonObject } from '@unrut/engine/json';
import { present } from '@unrut/engine/json';
import { textIn } from './otlp-attributes.ts';
import { GRAPH_PATH, metadataPlace, subgraph, THREAD } from './trace-metadata.ts';

const METADATA = [
  'ai.telemetry.metadata',
  'langfuse.observation.metadata',
  'langfuse.trace.metadata',
  'langsmith.metadata',
];
const ASSOCIATION = 'traceloop.association.properties';

/** Attributes that name the session, the most specific first. */
const SESSION = [
  'langfuse.session.id',
  'gen_ai.conversation.id',
  'conversation.id',
  'session.id',
  'gcp.vertex.agent.session_id',
  ...[...METADATA, ASSOCIATION].flatMap((prefix) => THREAD.map((name) => `${prefix}.${name}`)),
];

const GRAPH = [...METADATA, ASSOCIATION].map((prefix) => `${prefix}.${GRAPH_PATH}`);

/** The session and nested agent of a span or log record, if attributes name them. */
export function tracePlaceOf(
  name: string,
  attributes: JsonObject,
): { session?: string; agent?: string } {
  // Claude Code's subagents have their own conversations within the session.
  const isClaudeCode = name.startsWith('claude_code.');
  const session = textIn(attributes, isClaudeCode ? ['session.id'] : SESSION);
  const agent = isClaudeCode
    ? textIn(attributes, ['agent_id'])
    : (subgraph(textIn(attributes, GRAPH)) ?? metadataPlace(attributes.metadata).agent);
  return {
    ...present({ session, agent }),
  };
}

/** A span or trace id; undefined for zeros and empty text. */
export const spanId = (id: unknown): string | undefined =>
  typeof id === 'string' && /[^0]/.test(id) ? id : undefined;

/** Epoch milliseconds of OTLP's nanoseconds, with their fraction. */
export function milliseconds(nanoseconds: unknown): number | undefined {
  // Nanoseconds since 1970 exceed the precision of a number.
  const digits = String(nanoseconds ?? '');
  const time = Number(digits.slice(0, -6)) + Number(digits.slice(-6)) / 1e6;
  return Number.isFinite(time) && time > 0 ? time : undefined;
}
