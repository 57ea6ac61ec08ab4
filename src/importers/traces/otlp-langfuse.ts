import { textOf } from '../../json.ts';
import { readObservation } from './langfuse-observation.ts';
import type { Span } from './otlp-attributes.ts';
import type { Told } from './trace-part.ts';

/** Spans of Langfuse's SDKs. */
export function readLangfuseSpan({ name, attributes, durationMs }: Span): Told | undefined {
  const field = (each: string): unknown => attributes[`langfuse.observation.${each}`];
  return readObservation({
    type: textOf(field('type')),
    name,
    input: field('input'),
    output: field('output'),
    level: field('level'),
    statusMessage: field('status_message'),
    usage: field('usage_details'),
    costs: field('cost_details'),
    durationMs,
  });
}
