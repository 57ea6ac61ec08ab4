import { createRequire } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { detectors as ownDetectors } from '@unrut/engine/detectors';
import type { Detector } from '@unrut/engine/detectors/detector';
import { RUNGS, type Rung } from '@unrut/engine/event';
import { isObject, type JsonObject, listOf } from '@unrut/engine/json';
import { recoveries as ownRecoveries } from '@unrut/engine/recoveries';
import type { Recovery } from '@unrut/engine/recoveries/recovery';
import { redact } from '@unrut/engine/redact/redact';
import type { Plugin } from './config.ts';

/**
 * Loads the detectors and recoveries of these modules, which are paths or package names resolved
 * from this folder. Unusable ones are reported as problems and skipped.
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
      const taking =
        <Each extends { name: string }>(
          kind: Kind,
          own: readonly { name: string }[],
          all: Each[],
        ) =>
        (given: unknown): void => {
          const why = kind.whyNot(given, [...own, ...all]);
          if (why === undefined) all.push(given as Each);
          else complain(`\`${name}\`: expected ${kind.expected}, got ${why}.`);
        };
      listOf(plugin.detectors).forEach(taking(DETECTOR, ownDetectors, detectors));
      listOf(plugin.recoveries).forEach(taking(RECOVERY, ownRecoveries, recoveries));
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
  if (!isObject(plugin) || ![plugin.detectors, plugin.recoveries].some(Array.isArray))
    throw new Error(
      'expected a module whose default export has a list of detectors or recoveries, got none.',
    );
  return plugin;
}

/** Type guards for detectors or recoveries, and the message for a value that fails them. */
interface Kind {
  expected: string;
  whyNot(given: unknown, taken: readonly { name: string }[]): string | undefined;
}

const NAME = /^[a-z][a-z\d]*(?:-[a-z\d]+)*$/;
const isRung = (value: unknown): boolean => RUNGS.includes(value as Rung);

function whyNot(
  given: unknown,
  taken: readonly { name: string }[],
  functions: readonly string[],
  lists: readonly string[],
  more: (given: JsonObject) => string | undefined,
): string | undefined {
  if (!isObject(given)) return 'something else';
  const name = typeof given.name === 'string' ? given.name : '';
  if (!NAME.test(name)) return `the name \`${redact(name).slice(0, 60)}\``;
  if (taken.some((each) => each.name === name)) return `a second \`${name}\``;
  const missing =
    functions.find((each) => typeof given[each] !== 'function') ??
    lists.find((each) => !Array.isArray(given[each])) ??
    ['options', 'declared'].find((each) => !isObject(given[each]));
  return missing === undefined ? more(given) : `\`${name}\` without \`${missing}\``;
}

const DETECTOR: Kind = {
  expected: 'detectors made by `defineDetector`, each with a name of its own in kebab-case',
  whyNot: (given, taken) =>
    whyNot(given, taken, ['start', 'step', 'explain'], ['watches'], ({ name, rungs }) =>
      isObject(rungs) && isRung(rungs.first) && isRung(rungs.highest)
        ? undefined
        : `\`${name}\` without \`rungs\``,
    ),
};

const RECOVERY: Kind = {
  expected: 'recoveries made by `defineRecovery`, each with a name of its own in kebab-case',
  whyNot: (given, taken) =>
    whyNot(given, taken, ['plan', 'toModel', 'toHuman'], ['answers', 'needs'], ({ name, rung }) =>
      isRung(rung) ? undefined : `\`${name}\` without \`rung\``,
    ),
};
