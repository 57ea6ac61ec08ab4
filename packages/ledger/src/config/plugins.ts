import { createRequire } from 'node:module';
import { isAbsolute, join } from 'node:path';
import type { Detector } from '@unrut/engine/detectors/detector';
import { isObject, listOf } from '@unrut/engine/json';
import type { Recovery } from '@unrut/engine/recoveries/recovery';
import { redact } from '@unrut/engine/redact/redact';
import type { Plugin } from './config.ts';

/**
 * The detectors and recoveries of these modules: a path, or the name of a package, as seen from
 * this folder. A module that cannot be used is a problem, and the others count.
 */
export function loadPlugins(
  names: readonly string[],
  folder: string,
  complain: (what: string) => void,
): Required<Plugin> {
  const detectors: Detector[] = [];
  const recoveries: Recovery[] = [];
  for (const name of names) {
    try {
      const plugin = pluginIn(name, folder);
      detectors.push(...(listOf(plugin.detectors).filter(isDetector) as Detector[]));
      recoveries.push(...(listOf(plugin.recoveries).filter(isRecovery) as Recovery[]));
      if (
        ![...listOf(plugin.detectors)].every(isDetector) ||
        ![...listOf(plugin.recoveries)].every(isRecovery)
      )
        complain(
          `\`${name}\`: expected detectors made by \`defineDetector\` and recoveries made by \`defineRecovery\`, got something else.`,
        );
    } catch (error) {
      complain(`\`${name}\`: ${redact((error as Error).message.split('\n', 1)[0]!)}`);
    }
  }
  return { detectors, recoveries };
}

function pluginIn(name: string, folder: string): { detectors?: unknown; recoveries?: unknown } {
  const from = createRequire(join(folder, 'unrut.config.json'));
  const loaded: unknown = from(
    name.startsWith('.') || isAbsolute(name) ? join(isAbsolute(name) ? '' : folder, name) : name,
  );
  const plugin = isObject(loaded) && 'default' in loaded ? loaded.default : loaded;
  if (!isObject(plugin))
    throw new Error('expected a module whose default export has detectors or recoveries');
  return plugin;
}

const isDetector = (value: unknown): boolean =>
  isObject(value) &&
  typeof value.name === 'string' &&
  [value.start, value.step, value.explain].every((each) => typeof each === 'function') &&
  Array.isArray(value.watches);

const isRecovery = (value: unknown): boolean =>
  isObject(value) &&
  typeof value.name === 'string' &&
  [value.plan, value.toModel, value.toHuman].every((each) => typeof each === 'function') &&
  Array.isArray(value.answers);
