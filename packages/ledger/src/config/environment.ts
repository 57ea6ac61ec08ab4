import { checkValue } from '@unrut/engine/schema/problems';
import { nearestName } from '@unrut/engine/text/nearest-name';
import { is } from 'valibot';
import { type Layer, merged } from './layers.ts';
import { isLoose, mayHoldSecret, precautionsFor, problemLine } from './problem-line.ts';
import { type ConfigKey, configKeys, keysOf } from './schema.ts';

/**
 * Every key except tool names has a variable: `UNRUT_SHADOW`, `UNRUT_LEDGER_PATH`,
 * `UNRUT_DETECTORS_CYCLE_LAPS`.
 */
export const variableName = (path: readonly string[]): string =>
  ['unrut', ...path]
    .map((part) =>
      part
        .replace(/[a-z](?=[A-Z])/g, '$&_')
        .replaceAll('-', '_')
        .toUpperCase(),
    )
    .join('_');

/** Variables for locations; they are read elsewhere. */
const PLACES_NAMED = ['UNRUT_HOME', 'UNRUT_LEDGER', 'UNRUT_LEDGER_FILE', 'UNRUT_LEDGER_READS'];

/** The settings from environment variables, one layer per variable. */
export function readEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  problems: string[],
): Layer[] {
  const given = Object.keys(environment).filter(
    (name) =>
      name.startsWith('UNRUT_') && !PLACES_NAMED.includes(name) && environment[name]?.trim(),
  );
  if (given.length === 0) return [];
  const keys = new Map(
    keysOf((path) => given.some((name) => `${name}_`.startsWith(`${variableName(path)}_`))).map(
      (key) => [variableName(key.path), key],
    ),
  );
  return given.sort().flatMap((name) => {
    const key = keys.get(name);
    return key
      ? [{ source: name, values: readVariable(name, environment[name]!.trim(), key, problems) }]
      : mistyped(name, problems);
  });
}

/** Other programs may use variables with this prefix, so only likely typos are reported. */
function mistyped(name: string, problems: string[]): Layer[] {
  const paths = new Map(configKeys().map(({ path }) => [variableName(path), path]));
  const meant = nearestName(name, [...paths.keys()], 2);
  if (meant === undefined) return [];
  const problem = {
    path: paths.get(meant)!,
    text: `Unknown variable \`${name}\`. Did you mean \`${meant}\`?`,
  };
  problems.push(problemLine(problem));
  return precautionsFor([problem]).map((values) => ({ source: name, values }));
}

function readVariable(
  name: string,
  text: string,
  { path, schema }: ConfigKey,
  problems: string[],
): object {
  const value = toValue(text, schema);
  const options = { name, isSecret: () => mayHoldSecret(path), isLoose: () => isLoose(path) };
  const checked = checkValue(schema, value, options);
  const found = checked.problems.map((problem) => ({ ...problem, path }));
  problems.push(...found.map(problemLine));
  if (checked.sound === undefined) return merged(precautionsFor(found));
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), checked.sound) as object;
}

const FLAGS: Readonly<Record<string, boolean>> = {
  1: true,
  true: true,
  yes: true,
  on: true,
  0: false,
  false: false,
  no: false,
  off: false,
};

/**
 * Converts text to the type in the schema. Text that does not convert is returned unchanged and
 * fails validation.
 */
function toValue(text: string, schema: ConfigKey['schema']): unknown {
  const number = Number.isNaN(Number(text)) ? text : Number(text);
  const list = text.split(',').flatMap((item) => item.trim() || []);
  const given = is(schema, []) ? list : number;
  return (
    [FLAGS[text.toLowerCase()], number, text, list].find((value) => is(schema, value)) ?? given
  );
}
