import { type JsonObject, objectOf } from '@unrut/engine/json';
import { type HookCall, hookCall, spoken } from '@unrut/reading/hook-payload';
import type { Returned } from '@unrut/reading/importer';
import { pluginDialect } from '@unrut/reading/plugin-payload';
import { returnedWith } from '@unrut/reading/returned-with';

/** Amp's events that the plugin passes on. */
export type AmpHook = 'agent.start' | 'tool.call' | 'tool.result';

/** Reads the payloads of the plugin. */
export const ampPlugin = pluginDialect<AmpHook>({
  'agent.start': ({ event }) => spoken('person', objectOf(event).message),
  'tool.call': ({ event }) => [{ what: 'calls', call: callOf(objectOf(event)) }],
  'tool.result': ({ event }) => [
    { what: 'returned', call: callOf(objectOf(event)), returned: returnedBy(objectOf(event)) },
  ],
});

const callOf = ({ toolUseID, tool, input }: JsonObject): HookCall =>
  hookCall(toolUseID, tool, input);

/** Shell results contain the output and the exit code. */
function returnedBy({ status, output, error }: JsonObject): Returned {
  if (status === 'cancelled') return { result: error ?? output, error: true, refusedBy: 'user' };
  const { output: printed, exitCode } = objectOf(output);
  const result = status === 'error' ? (error ?? output) : (printed ?? output);
  return returnedWith({
    result,
    exitCode,
    error: typeof exitCode === 'number' ? exitCode !== 0 : status === 'error',
  });
}
