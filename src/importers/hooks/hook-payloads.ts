import { hookHosts } from '../../hosts/index.ts';
import type { HookPayload } from '../../hosts/reading/hook-payload.ts';
import { followHook, type HookStep, startHookThread } from '../../hosts/reading/hook-thread.ts';
import type { ImportedRun, Importer, ImportMoment } from '../../hosts/reading/importer.ts';
import { recogniseHost } from '../../hosts/recognise.ts';
import { isObject, textOf } from '../../json.ts';
import { opencodeHooks } from './opencode-hooks.ts';

/** What hooks were given, logged by someone as it came. */
export const hookPayloads: Importer = {
  name: 'hook-payloads',
  reads: `logged input of hooks: ${hookHosts.map(({ label }) => label).join(', ')} and those who speak like them`,
  sample: 'recorded; Copilot and Cursor after their documentation',
  recognises: (first) => first.some((record) => readPayload(record) !== undefined),
  open(source) {
    const threads = new Map<ImportedRun, (payload: HookPayload) => void>();
    let session: string | undefined;
    return {
      read(record) {
        const payload = readPayload(record);
        if (!payload) return source.unknown(kindOf(record));
        session = payload.session ?? session;
        const run = source.run(session, payload.agent);
        const thread = threads.get(run) ?? createHookThread(run);
        threads.set(run, thread);
        thread(payload);
      },
    };
  },
};

const readPayload = (record: unknown): HookPayload | undefined =>
  isObject(record) ? (recogniseHost(record)?.hooks.payload(record) ?? opencodeHooks(record)) : undefined;

const kindOf = (record: unknown): string =>
  isObject(record) ? textOf(record.hook_event_name).slice(0, 40) || 'payload of no known hook' : typeof record;

/** Writes to a run what its hooks tell: each call once, although several hooks tell of it. */
function createHookThread(run: ImportedRun): (payload: HookPayload) => void {
  const thread = startHookThread();
  return (payload) => {
    for (const step of followHook(thread, payload)) write(run, step, { at: payload.at });
  };
}

function write(run: ImportedRun, step: HookStep, moment: ImportMoment): void {
  if (step.what === 'calls') run.calls({ ...step.call, batch: step.batch }, moment);
  else if (step.what === 'returned') {
    if (!step.isAnnounced) run.calls({ ...step.call, batch: step.batch }, moment);
    run.returns(step.call.id, step.returned, moment);
  } else if (step.what === 'person') run.person(step.text, moment);
  else if (step.what === 'says') run.says(step.text, moment);
  else if (step.what === 'thinks') run.thinks(step.text, moment);
  else if (step.what === 'ended') run.ends({ ...moment, outcome: step.outcome });
  else run.compacted(moment);
}
