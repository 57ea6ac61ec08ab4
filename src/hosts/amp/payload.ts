import { type JsonObject, objectOf, textOf } from '../../json.ts';
import type { HookCall, HookDialect, HookTold } from '../reading/hook-payload.ts';
import type { Returned } from '../reading/importer.ts';

/** What the plugin is told by Amp and hands on. */
export type AmpHook = 'agent.start' | 'tool.call' | 'tool.result';

const HOOKS: Record<AmpHook, (event: JsonObject) => HookTold[]> = {
  'agent.start': ({ message }) => (textOf(message).trim() === '' ? [] : [{ what: 'person', text: textOf(message) }]),
  'tool.call': (event) => [{ what: 'calls', call: callOf(event) }],
  'tool.result': (event) => [{ what: 'returned', call: callOf(event), returned: returnedBy(event) }],
};

export const isOfAmp = ({ hook, session }: JsonObject): boolean =>
  typeof hook === 'string' && typeof session === 'string' && Object.hasOwn(HOOKS, hook);

/** What the plugin hands on of what Amp tells it. */
export const ampPayload: HookDialect = (payload) => {
  if (!isOfAmp(payload)) return undefined;
  const { hook, session, event } = payload;
  return { session: textOf(session), told: HOOKS[hook as AmpHook](objectOf(event)) };
};

const callOf = ({ toolUseID: id, tool, input }: JsonObject): HookCall => ({ id: textOf(id) || undefined, tool: textOf(tool), args: input });

/** A shell command gives its output and its exit code together. */
function returnedBy({ status, output, error }: JsonObject): Returned {
  if (status === 'cancelled') return { result: error ?? output, error: true, refusedBy: 'user' };
  const { output: printed, exitCode } = objectOf(output);
  const result = status === 'error' ? (error ?? output) : (printed ?? output);
  return {
    ...(result === undefined ? {} : { result }),
    error: status === 'error',
    ...(typeof exitCode === 'number' ? { exitCode, error: exitCode !== 0 } : {}),
  };
}
