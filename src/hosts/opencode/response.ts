import { isObject, type JsonObject, textOf } from '../../json.ts';
import type { ImportedRun, ImportMoment, Returned, Source } from '../reading/importer.ts';
import { costOnFirst, tokenCost } from '../reading/response-cost.ts';

/** Parts of a response that are no step. */
const SILENT = new Set(['step-start', 'step-finish', 'file', 'agent', 'snapshot', 'patch', 'retry', 'compaction', 'subtask']);

/** How OpenCode words the refusal of a call that never ran. */
const REFUSALS: readonly [RegExp, Exclude<Returned['refusedBy'], undefined>][] = [
  [/^The user (?:rejected permission|dismissed)/, 'user'],
  [/^The user has specified a rule/, 'host'],
  [/^The \S+ tool was called with invalid arguments/, 'schema'],
];

const timeOf = (holder: unknown): JsonObject => (isObject(holder) && isObject(holder.time) ? holder.time : {});

/** What a response cost, from its `step-finish` part. OpenCode counts reasoning and what is cached apart. */
export function costOf(parts: readonly JsonObject[]): ImportMoment['cost'] {
  const { tokens, cost } = parts.find(({ type }) => type === 'step-finish') ?? {};
  if (!isObject(tokens)) return undefined;
  const counted = tokenCost(tokens.input, 0, tokens.output, tokens.reasoning, isObject(tokens.cache) ? tokens.cache.write : 0);
  return { ...counted, ...(typeof cost === 'number' ? { usd: cost } : {}) };
}

/** Tells a run of one response: the parts that the model gave in one go, in its order. `response` names it among all. */
export function tellResponse(run: ImportedRun, response: string, parts: readonly JsonObject[], source: Pick<Source, 'unknown'>): void {
  const moment = costOnFirst({ cost: costOf(parts) });
  const at = (time: unknown): ImportMoment => ({ ...moment(), at: time });
  const finished: { id: string; end: unknown; returned: Returned }[] = [];
  for (const part of parts) {
    const text = textOf(part.text);
    if (part.type === 'reasoning' || part.type === 'text') {
      if (text.trim() === '') continue;
      if (part.type === 'text') run.says(text, at(timeOf(part).start));
      else run.thinks(text, at(timeOf(part).start));
    } else if (part.type === 'tool') {
      const state = isObject(part.state) ? part.state : {};
      const id = textOf(part.callID) || textOf(part.id);
      run.calls({ id, ...whatWasCalled(textOf(part.tool), state.input), batch: response }, at(timeOf(state).start));
      if (state.status === 'completed' || state.status === 'error')
        finished.push({ id, end: timeOf(state).end, returned: returnedBy(part.tool, state) });
    } else if (!SILENT.has(textOf(part.type))) source.unknown(textOf(part.type) || 'part');
  }
  // Calls of one response run side by side, and come back as each is done.
  finished.sort((one, other) => Number(one.end) - Number(other.end) || 0);
  for (const { id, end, returned } of finished) run.returns(id, returned, { at: end });
}

/** A call that OpenCode could not make is recorded as one of the tool `invalid`, without its arguments. */
export function whatWasCalled(tool: string, input: unknown): { tool: string; args: unknown } {
  return tool === 'invalid' && isObject(input) ? { tool: textOf(input.tool) || tool, args: {} } : { tool, args: input };
}

export function returnedBy(tool: unknown, state: JsonObject): Returned {
  const { start, end } = timeOf(state);
  const took = typeof start === 'number' && typeof end === 'number' ? { durationMs: end - start } : {};
  if (tool === 'invalid') {
    const refusedBy = textOf(state.output).includes('unavailable tool') ? 'unknown-tool' : 'schema';
    return { result: state.output, error: true, refusedBy, ...took };
  }
  if (state.status === 'error') {
    const refusal = REFUSALS.find(([words]) => words.test(textOf(state.error)));
    return { result: state.error, error: true, ...(refusal ? { refusedBy: refusal[1] } : {}), ...took };
  }
  const exit = isObject(state.metadata) ? state.metadata.exit : undefined;
  // What stands in place of nothing printed is not what the command said.
  const result = tool === 'bash' && textOf(state.output).trim() === '(no output)' ? '' : state.output;
  return { result, ...(typeof exit === 'number' ? { exitCode: exit } : {}), ...took };
}
