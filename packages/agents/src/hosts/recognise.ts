import { isObject, textOf } from '@unrut/engine/json';
import { isClaudeLike } from './claude-code/payload.ts';
import type { HookSigns } from './define-host.ts';
import { type HookHost, hookHosts } from './index.ts';

const precedenceOf = ({ hooks }: HookHost): number => hooks.signs.precedence ?? 0;
const IN_ORDER = hookHosts.toSorted((one, other) => precedenceOf(other) - precedenceOf(one));

/**
 * The host of a payload; undefined for payloads of no known host. The payload decides if possible,
 * since a nested agent inherits its parent's environment, and some hosts run hooks installed for
 * others.
 */
export function recogniseHost(
  payload: unknown,
  environment: Readonly<Record<string, string | undefined>> = {},
  said?: string,
): HookHost | undefined {
  if (!isObject(payload)) return undefined;
  const showing = (sign: (signs: HookSigns) => unknown): HookHost | undefined =>
    IN_ORDER.find(({ hooks }) => sign(hooks.signs));
  const own = showing(({ form }) => form?.(payload));
  if (own || !isClaudeLike(payload)) return own;
  const folders = textOf(payload.transcript_path).split(/[\\/]/).slice(1, -1);
  return (
    showing(({ mark }) => mark?.(payload)) ??
    showing(({ folder }) => folder !== undefined && folders.includes(folder)) ??
    showing(({ trait }) => trait?.(payload)) ??
    showing(({ variable }) => variable !== undefined && environment[variable]) ??
    hookHosts.find(({ name }) => name === said) ??
    showing(({ guess }) => guess?.(payload))
  );
}
