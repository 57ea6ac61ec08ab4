import { hookHosts } from '@unrut/agents/hosts';
import { opencodeCall } from '@unrut/agents/hosts/opencode/payload';
import { returnedBy } from '@unrut/agents/hosts/opencode/response';
import { recogniseHost } from '@unrut/agents/hosts/recognise';
import { isObject, type JsonObject, objectOf, textOf } from '@unrut/engine/json';
import type { HookDialect, HookPayload, HookTold } from '@unrut/reading/hook-payload';
import { followHook, type HookStep, startHookThread } from '@unrut/reading/hook-thread';
import type { ImportedRun, Importer, ImportMoment } from '@unrut/reading/importer';

/** Logged hook payloads. */
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
  isObject(record)
    ? (recogniseHost(record)?.hooks.payload(record) ?? opencodeHooks(record))
    : undefined;

const kindOf = (record: unknown): string =>
  isObject(record)
    ? textOf(record.hook_event_name).slice(0, 40) || 'payload of no known hook'
    : typeof record;

/** Adds a run's hook payloads: each call once, although several hooks report it. */
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
  else if (step.what === 'compacted' && !step.again) run.compacted(moment);
}

/**
 * Payloads of an OpenCode plugin, as logged with short names: `{h: 'before' | 'after', i: input, o:
 * output}` around a tool and `{ev: type, p: properties}` from the bus, or as the bus writes them:
 * `{type, properties}`.
 */
const opencodeHooks: HookDialect = (payload) => {
  const { h: hook, i: input, o: output } = payload;
  if ((hook === 'before' || hook === 'after') && isObject(input) && isObject(output))
    return { session: textOf(input.sessionID) || undefined, told: [toolTold(hook, input, output)] };
  const type = payload.ev ?? payload.type;
  const properties = payload.ev === undefined ? payload.properties : payload.p;
  if (typeof type !== 'string' || !/^[a-z]+(?:\.[a-z-]+)+$/.test(type) || properties === undefined)
    return undefined;
  const about = objectOf(properties);
  const part = isObject(about.part) ? about.part : about;
  const session = textOf(about.sessionID) || textOf(part.sessionID) || undefined;
  if (type === 'session.compacted') return { session, told: [{ what: 'compacted' }] };
  return { session, told: type === 'message.part.updated' ? partTold(part) : [] };
};

function toolTold(hook: 'before' | 'after', input: JsonObject, output: JsonObject): HookTold {
  if (hook === 'before') return { what: 'calls', call: opencodeCall(input, output.args) };
  return {
    what: 'returned',
    call: opencodeCall(input, input.args),
    returned: returnedBy(input.tool, output),
  };
}

/** If a tool fails, the hook after it does not run; only the part reports the failure. */
function partTold(part: JsonObject): HookTold[] {
  const { tool, state } = part;
  if (typeof tool !== 'string' || !isObject(state)) return [];
  const call = opencodeCall(part, state.input);
  const hasEnded =
    state.status === 'error' || (state.status === 'completed' && call.id !== undefined);
  return hasEnded ? [{ what: 'returned', call, returned: returnedBy(tool, state) }] : [];
}
