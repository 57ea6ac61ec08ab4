import { check, typesOf } from './check.ts';
import type { Layer } from './layers.ts';
import { nearest } from './nearest.ts';
import { isDecisive, problemLine } from './problem-line.ts';
import type { Schema } from './schema.ts';
import { keysOf } from './schema-keys.ts';

/** Each key but those of tools has a variable: `UNRUT_SHADOW`, `UNRUT_LEDGER_PATH`, `UNRUT_DETECTORS_CYCLE_LAPS`. */
export const variableName = (path: readonly string[]): string =>
  ['unrut', ...path]
    .map((part) =>
      part
        .replace(/[a-z](?=[A-Z])/g, '$&_')
        .replaceAll('-', '_')
        .toUpperCase(),
    )
    .join('_');

/** What the environment says, each variable by itself. */
export function readEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  schema: () => Schema,
  problems: string[],
): Layer[] {
  const given = Object.keys(environment).filter((name) => name.startsWith('UNRUT_') && environment[name]?.trim());
  if (given.every((name) => name === 'UNRUT_HOME')) return [];
  const keys = new Map(keysOf(schema()).map(({ path, schema }) => [variableName(path), { path, schema }]));
  return given.sort().flatMap((name) => {
    const key = keys.get(name);
    if (!key) {
      // Variables may also be meant for other parts, so only what looks mistyped is worth a word.
      const meant = nearest(name, [...keys.keys()], 2);
      if (meant) problems.push(`${name}: there is no such variable, perhaps you mean ${meant}; it is left out.`);
      return [];
    }
    const value = check(toValue(environment[name]!.trim(), key.schema), key.schema, (_, what) =>
      problems.push(problemLine(name, key.path, what)),
    );
    if (value === undefined) return isDecisive(key.path) ? [{ source: name, values: { shadow: true } }] : [];
    return [{ source: name, values: nested(key.path, value) }];
  });
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

/** Text as the schema wants it; what does not fit stays text, and is complained about. */
function toValue(text: string, schema: Schema): unknown {
  const types = typesOf(schema);
  if (types.includes('boolean')) return FLAGS[text.toLowerCase()] ?? text;
  if (types.includes('integer') || types.includes('number')) return Number.isNaN(Number(text)) ? text : Number(text);
  if (types.includes('string')) return text;
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

const nested = (path: readonly string[], value: unknown): object =>
  path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;
