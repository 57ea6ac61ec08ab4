import type { HookPayload } from '../../adapters/hook-payload.ts';
import { followHook, type HookStep, startHookThread } from '../../adapters/hook-thread.ts';
import type { Moment, Run } from '../importer.ts';

/** Writes to a run what its hooks tell: each call once, although several hooks tell of it. */
export function createHookThread(run: Run): (payload: HookPayload) => void {
  const thread = startHookThread();
  return (payload) => {
    for (const step of followHook(thread, payload)) write(run, step, { at: payload.at });
  };
}

function write(run: Run, step: HookStep, moment: Moment): void {
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
