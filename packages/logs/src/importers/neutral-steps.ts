import { isObject, textOf } from '@unrut/engine/json';
import type { Importer } from '@unrut/reading/importer';
import { returnedWith } from '@unrut/reading/returned-with';

const KINDS = new Set(['tool_call', 'ui_action', 'message']);

/** Any other role is the speaker's name. */
const ROLES = new Set(['user', 'assistant', 'agent', 'system', 'tool', 'ai', 'model']);

/**
 * One step per line: `i`, `role`, `kind`, `tool`, `args`, `result`, `is_error`, `text`,
 * `screen_before`.
 */
export const neutralSteps: Importer = {
  name: 'neutral-steps',
  reads:
    'one step a line, in a form of no agent (`i`, `role`, `kind`, `tool`, `args`, `result`, …)',
  sample: 'own',
  recognises: ([first]) =>
    isObject(first) && typeof first.i === 'number' && KINDS.has(first.kind as string),
  open(source) {
    let run = source.run();
    let last = -1;
    let lastOwn = -1;
    let runs = 1;
    return {
      read(step) {
        if (
          !isObject(step) ||
          !Number.isSafeInteger(step.i) ||
          (step.i as number) < 0 ||
          !KINDS.has(step.kind as string)
        ) {
          source.unknown(isObject(step) ? String(step.kind) : typeof step);
          return;
        }
        const own = step.i as number;
        // If the numbers restart at 0, a new run begins; any other step back is an error in the
        // source.
        const isAnew = own === 0 && lastOwn > 0;
        if (isAnew) run = source.run(`${source.name}#${++runs}`);
        const i = isAnew || own > last ? own : last + 1;
        last = i;
        lastOwn = own;
        run.index(i);
        const name = typeof step.agent === 'string' ? step.agent : textOf(step.role);
        const speaker = name === '' || ROLES.has(name.toLowerCase()) ? {} : { speaker: name };
        const moment = { at: step.ts, ...speaker };
        const text = textOf(step.text);
        if (step.kind === 'message') {
          if (step.role === 'user') run.person(text, moment);
          else run.says(text, moment);
          return;
        }
        run.thinks(text, moment);
        const id = `step ${i}`;
        const batch =
          step.batch === undefined || step.batch === null ? {} : { batch: String(step.batch) };
        const screen =
          typeof step.screen_before === 'string'
            ? { screen: { description: step.screen_before } }
            : {};
        run.calls({ id, tool: textOf(step.tool), args: step.args, ...batch, ...screen }, moment);
        const error = typeof step.is_error === 'boolean' ? step.is_error : undefined;
        run.returns(id, returnedWith({ result: step.result ?? undefined, error }), {
          ...moment,
          at: step.ts_end ?? step.ts,
        });
      },
    };
  },
};
