import { isObject, type JsonObject, objectOf, textOf } from '@unrut/engine/json';
import { keepIn } from '@unrut/engine/recent';
import type { ImportedRun, ImportMoment, Returned, Source } from '@unrut/reading/importer';
import { costOnFirst, spentIn } from '@unrut/reading/response-cost';
import { returnedWith } from '@unrut/reading/returned-with';

/** Parts of a response that are no step. */
const SILENT = new Set([
  'step-start',
  'step-finish',
  'file',
  'agent',
  'snapshot',
  'patch',
  'retry',
  'compaction',
  'subtask',
]);

/** OpenCode's messages for calls that never ran. */
const REFUSALS: readonly [RegExp, Exclude<Returned['refusedBy'], undefined>][] = [
  [/^The user (?:rejected permission|dismissed)/, 'user'],
  [/^The user has specified a rule/, 'host'],
  [/^The \S+ tool was called with invalid arguments/, 'schema'],
];

const timeOf = (holder: unknown): JsonObject => objectOf(objectOf(holder).time);

/**
 * The cost of a response, from its `step-finish` part. OpenCode counts reasoning and cached tokens
 * separately.
 */
export function costOf(parts: readonly JsonObject[]): ImportMoment['cost'] {
  const finish = parts.find(({ type }) => type === 'step-finish');
  return spentIn(finish, {
    input: 'tokens.input',
    output: ['tokens.output', 'tokens.reasoning', 'tokens.cache.write'],
    usd: 'cost',
  });
}

/** Max number of remembered ids, of one session or several. */
const MAX_IDS = 10_000;

/**
 * Numbers repeated ids. A part holds a call and its result, so the part identifies the call;
 * programs that redact transcripts give many calls the same id.
 */
export function callNumbering(): (id: string) => string {
  const counts = new Map<string, number>();
  return (id) => {
    const count = (counts.get(id) ?? 0) + 1;
    keepIn(counts, id, count, MAX_IDS);
    return count === 1 ? id : `${id}#${count}`;
  };
}

/**
 * Adds one response to a run: the parts that the model produced at once, in order. `response` is
 * its id.
 */
export function tellResponse(
  run: ImportedRun,
  response: string,
  parts: readonly JsonObject[],
  source: Pick<Source, 'unknown'>,
  numbered: (id: string) => string,
): void {
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
      const state = objectOf(part.state);
      const id = numbered(textOf(part.callID) || textOf(part.id));
      run.calls(
        { id, ...whatWasCalled(textOf(part.tool), state.input), batch: response },
        at(timeOf(state).start),
      );
      if (state.status === 'completed' || state.status === 'error')
        finished.push({ id, end: timeOf(state).end, returned: returnedBy(part.tool, state) });
    } else if (!SILENT.has(textOf(part.type))) source.unknown(textOf(part.type) || 'part');
  }
  // The calls of one response run in parallel, and finish in any order.
  finished.sort((one, other) => Number(one.end) - Number(other.end) || 0);
  for (const { id, end, returned } of finished) run.returns(id, returned, { at: end });
}

/** An invalid call is recorded as tool `invalid`, without its arguments. */
export function whatWasCalled(tool: string, input: unknown): { tool: string; args: unknown } {
  return tool === 'invalid' && isObject(input)
    ? { tool: textOf(input.tool) || tool, args: {} }
    : { tool, args: input };
}

export function returnedBy(tool: unknown, state: JsonObject): Returned {
  const { start, end } = timeOf(state);
  const durationMs = typeof start === 'number' && typeof end === 'number' ? end - start : undefined;
  if (tool === 'invalid') {
    const refusedBy = textOf(state.output).includes('unavailable tool') ? 'unknown-tool' : 'schema';
    return returnedWith({ result: state.output, error: true, refusedBy, durationMs });
  }
  if (state.status === 'error') {
    const refusedBy = REFUSALS.find(([words]) => words.test(textOf(state.error)))?.[1];
    return returnedWith({ result: state.error, error: true, refusedBy, durationMs });
  }
  // Placeholders for empty output are not output.
  const result =
    tool === 'bash' && textOf(state.output).trim() === '(no output)' ? '' : state.output;
  return returnedWith({ result, exitCode: objectOf(state.metadata).exit, durationMs });
}
