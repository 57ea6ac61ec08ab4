import type { HookDialect, HookTold } from '../../adapters/hook-payload.ts';
import { isObject, type JsonObject, textOf } from '../../json.ts';
import type { Returned } from '../importer.ts';

/**
 * What an OpenCode plugin was given, as logged with short names: `{h: 'before' | 'after', i: input, o: output}` around a tool and
 * `{ev: type, p: properties}` of the bus, or as the bus writes it: `{type, properties}`.
 */
export const opencodeHooks: HookDialect = (payload) => {
  const { h: hook, i: input, o: output } = payload;
  if ((hook === 'before' || hook === 'after') && isObject(input) && isObject(output))
    return { session: textOf(input.sessionID) || undefined, told: [toolTold(hook, input, output)] };
  const type = payload.ev ?? payload.type;
  const properties = payload.ev === undefined ? payload.properties : payload.p;
  if (typeof type !== 'string' || !/^[a-z]+(?:\.[a-z-]+)+$/.test(type) || properties === undefined) return undefined;
  const about = isObject(properties) ? properties : {};
  const part = isObject(about.part) ? about.part : about;
  const session = textOf(about.sessionID) || textOf(part.sessionID) || undefined;
  if (type === 'session.compacted') return { session, told: [{ what: 'compacted' }] };
  return { session, told: type === 'message.part.updated' ? partTold(part) : [] };
};

function toolTold(hook: 'before' | 'after', { callID, tool, args }: JsonObject, output: JsonObject): HookTold {
  const call = { id: textOf(callID) || undefined, tool: textOf(tool), args: hook === 'before' ? output.args : args };
  return hook === 'before' ? { what: 'calls', call } : { what: 'returned', call, returned: returnedBy(output) };
}

/** The hook after a tool is not called when the tool fails; only the part then tells of it. */
function partTold({ tool, callID, state }: JsonObject): HookTold[] {
  if (typeof tool !== 'string' || !isObject(state)) return [];
  const call = { id: textOf(callID) || undefined, tool, args: state.input };
  if (state.status === 'error') return [{ what: 'returned', call, returned: { result: state.error, error: true } }];
  return state.status === 'completed' && call.id !== undefined ? [{ what: 'returned', call, returned: returnedBy(state) }] : [];
}

function returnedBy({ output, metadata }: JsonObject): Returned {
  const exit = isObject(metadata) ? metadata.exit : undefined;
  return { result: output, ...(typeof exit === 'number' ? { exitCode: exit } : {}) };
}
