import { isObject, type JsonObject, listOf, objectOf, textOf } from '@unrut/engine/json';
import type { ImportedRun, Importer, Returned, Source } from '@unrut/reading/importer';
import { costOnFirst, spent } from '@unrut/reading/response-cost';
import { documentName, kindOf } from '@unrut/reading/run-documents';

/** The model's own texts in a step, in their order. */
const THOUGHTS = ['thinking', 'evaluation_previous_goal', 'memory', 'next_goal'];

/** Histories of browser-use, as written by `save_to_file` and `save_history`. */
export const browserUse: Importer = {
  name: 'browser-use',
  reads: 'histories of browser-use (`AgentHistoryList`)',
  sample: 'written after its source',
  recognises: (first) => first.some((record) => isStep(record) || isHistory(record)),
  open(source) {
    let lines = 0;
    let whole: History | undefined;
    return {
      read(record) {
        lines++;
        if (isStep(record)) {
          whole ??= createHistory(source.run(), source);
          whole.step(record);
        } else if (isHistory(record)) {
          const history = createHistory(
            source.run(documentName(record, source.name, lines)),
            source,
          );
          for (const step of record.history as unknown[]) {
            if (isObject(step)) history.step(step);
            else source.unknown(kindOf(step));
          }
          history.end(record.usage);
        } else source.unknown(kindOf(record));
      },
      end: () => whole?.end(undefined),
    };
  },
};

const isStep = (value: unknown): value is JsonObject =>
  isObject(value) &&
  'model_output' in value &&
  isObject(value.state) &&
  Array.isArray(value.result);
const isHistory = (value: unknown): value is JsonObject =>
  isObject(value) &&
  Array.isArray(value.history) &&
  (value.history.some(isStep) || (value.history.length === 0 && 'usage' in value));

interface History {
  step(step: JsonObject): void;
  end(usage: unknown): void;
}

function createHistory(run: ImportedRun, source: Source): History {
  let steps = 0;
  let waiting: { id: string; returned: JsonObject; at: unknown } | undefined;
  let outcome: string | undefined;

  /** A step begins with the page after the last step. */
  function land(state: JsonObject): void {
    if (!waiting) return;
    const { url, title } = state;
    const page = {
      ...(textOf(url) === '' ? {} : { url }),
      ...(textOf(title) === '' ? {} : { title }),
    };
    const { result, ...rest } = waiting.returned;
    const isSaid = result !== undefined;
    const seen = Object.keys(page).length > 0 ? { ...(isSaid ? { result } : {}), ...page } : result;
    run.returns(
      waiting.id,
      { ...rest, ...(seen === undefined ? {} : { result: seen }) },
      { at: waiting.at },
    );
    waiting = undefined;
  }

  return {
    step({ model_output: output, result, state, metadata }) {
      steps++;
      land(objectOf(state));
      const made = objectOf(output);
      const time = objectOf(metadata);
      const next = costOnFirst({
        at: time.step_start_time,
        cost: spent({ input: time.input_tokens }),
      });
      const thought = thoughtOf(isObject(made.current_state) ? made.current_state : made);
      if (thought !== '') run.thinks(thought, next());
      const results = listOf(result).map((each) => objectOf(each));
      const actions = listOf(made.action);
      for (const [i, action] of actions.entries()) {
        const named = isObject(action)
          ? Object.entries(action).find(
              ([name, args]) => name !== 'interacted_element' && args !== null,
            )
          : undefined;
        if (!named) {
          source.unknown('action without a name');
          continue;
        }
        const id = `${steps} ${i}`;
        run.calls({ id, tool: named[0], args: named[1], batch: `step ${steps}` }, next());
        const came = results[i];
        const returned = came ? returnedOf(came) : {};
        // Actions after a page change are not performed; only the last performed one leads to the
        // page of the next step.
        if (i === Math.min(actions.length, results.length) - 1)
          waiting = { id, returned, at: time.step_end_time };
        else run.returns(id, returned as Returned, { at: time.step_end_time });
      }
      const last = results.at(-1);
      if (last?.is_done === true) outcome = last.success === false ? 'failed' : 'done';
    },
    end(usage) {
      land({});
      const {
        total_tokens: input,
        total_prompt_cached_tokens: cached,
        total_cost: usd,
      } = objectOf(usage);
      run.ends({ outcome, cost: spent({ input, cached, usd: usd || undefined }) });
    },
  };
}

const thoughtOf = (brain: JsonObject): string =>
  THOUGHTS.map((name) => textOf(brain[name]).trim())
    .filter((text) => text !== '')
    .join('\n');

function returnedOf({
  extracted_content: content,
  long_term_memory: memory,
  error,
}: JsonObject): JsonObject {
  const said = textOf(content) || textOf(memory);
  return { ...(said === '' ? {} : { result: said }), ...(textOf(error) === '' ? {} : { error }) };
}
