import { opencodeCall } from '../../hosts/opencode/payload.ts';
import { returnedBy } from '../../hosts/opencode/response.ts';
import type { HookDialect, HookTold } from '../../hosts/reading/hook-payload.ts';
import { isObject, type JsonObject, objectOf, textOf } from '../../json.ts';

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
  const about = objectOf(properties);
  const part = isObject(about.part) ? about.part : about;
  const session = textOf(about.sessionID) || textOf(part.sessionID) || undefined;
  if (type === 'session.compacted') return { session, told: [{ what: 'compacted' }] };
  return { session, told: type === 'message.part.updated' ? partTold(part) : [] };
};

function toolTold(hook: 'before' | 'after', input: JsonObject, output: JsonObject): HookTold {
  if (hook === 'before') return { what: 'calls', call: opencodeCall(input, output.args) };
  return { what: 'returned', call: opencodeCall(input, input.args), returned: returnedBy(input.tool, output) };
}

/** The hook after a tool is not called when the tool fails; only the part then tells of it. */
function partTold(part: JsonObject): HookTold[] {
  const { tool, state } = part;
  if (typeof tool !== 'string' || !isObject(state)) return [];
  const call = opencodeCall(part, state.input);
  const hasEnded = state.status === 'error' || (state.status === 'completed' && call.id !== undefined);
  return hasEnded ? [{ what: 'returned', call, returned: returnedBy(tool, state) }] : [];
}
