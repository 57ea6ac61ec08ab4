import { isObject } from '@unrut/engine/json';

/** Matches a call of the hook file with its host, whatever the paths and quotes. */
const OUR_COMMAND = /hook\.cjs["']?\s+--for\s+[a-z-]+/;
/** Matches the hook addresses of `unrut serve`. */
const OUR_ADDRESS = /^https?:\/\/[^/]+\/v1\/hooks\/[a-z-]+(?:\?|$)/;

/** Whether a text calls our hook, in the format of any version of `unrut install`. */
export const callsOurHook = (text: string): boolean =>
  OUR_COMMAND.test(text) || OUR_ADDRESS.test(text);

/** Whether a handler in an agent's settings is ours. */
export function isOurHandler(handler: unknown): boolean {
  if (!isObject(handler)) return false;
  return Object.values(handler).some((value) =>
    callsOurHook(
      Array.isArray(value)
        ? value.filter((word) => typeof word === 'string').join(' ')
        : typeof value === 'string'
          ? value
          : '',
    ),
  );
}
