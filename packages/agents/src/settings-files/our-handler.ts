import { isObject } from '@unrut/engine/json';

/**
 * A call of the hook file that says for whom it was installed, whatever the paths, and however they
 * are quoted.
 */
const OUR_COMMAND = /hook\.cjs["']?\s+--for\s+[a-z-]+/;
/** Where `unrut serve` answers hooks. */
const OUR_ADDRESS = /^https?:\/\/[^/]+\/v1\/hooks\/[a-z-]+(?:\?|$)/;

/** Whether a text calls our hook, as `unrut install` of any version has written it. */
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
