import { redact } from '@unrut/engine/redact/redact';
import { keyText } from '@unrut/engine/schema/sentences';
import { leavesOf, valueAt } from './layers.ts';
import type { LoadedSettings } from './load-settings.ts';
import { configKeys, keysOf, schemaWith } from './schema.ts';

/** One value in force; null if it is not set and the host decides. */
export interface EffectiveSetting {
  key: string;
  value: unknown;
  /** The file or variable that sets the value, or `default`. */
  from: string;
}

/**
 * All settings in force with their sources. Safe to print: only the beginning of possible secrets
 * is included.
 */
export function effectiveSettings({
  settings,
  config,
  sources,
  plugins,
}: LoadedSettings): EffectiveSetting[] {
  const { preset, shadow, guard, ledger } = settings;
  const known: Record<string, unknown> = {
    preset,
    shadow,
    skip: guard.preset?.skip,
    'ledger.path': ledger.path,
  };
  const isOff = (path: readonly string[]): boolean =>
    path.length > 2 && valueAt(config, path.slice(0, 2)) === false;
  const hasPlugins = plugins.detectors.length + plugins.recoveries.length > 0;
  const keys = hasPlugins ? keysOf(() => true, schemaWith(plugins)) : configKeys();
  const ofSchema = keys.filter(({ path }) => !isOff(path));
  const ofTools = leavesOf(config.tools ?? {}, ['tools']).map((path) => ({
    path,
    about: undefined,
  }));
  return [...ofSchema, ...ofTools].map(({ path, about }) => {
    const key = keyText(path);
    const given = valueAt(config, path);
    // A detector or recovery with options is on.
    const said = typeof given === 'object' && !Array.isArray(given) ? true : given;
    const value = known[key] ?? said ?? about?.default ?? null;
    return { key, value: about?.writeOnly ? shown(value) : value, from: sources[key] ?? 'default' };
  });
}

/** Cuts an address after its host and removes secrets from a command. */
function shown(value: unknown): unknown {
  if (Array.isArray(value)) return redact(value.join(' '));
  if (typeof value !== 'string') return value;
  return /^https?:/.test(value) && URL.canParse(value)
    ? `${new URL(value).origin}/…`
    : redact(value);
}
