import { readFileSync } from 'node:fs';
import {
  readPermissions,
  readSwitches,
  SWITCHES,
  switchProblems,
  variableOf,
} from '@unrut/computer-use/switches';
import type { AgentEvent } from '@unrut/engine/event';
import { createGuard } from '@unrut/engine/guard';
import { variableName } from '@unrut/ledger/config/environment';
import type { LoadedSettings } from '@unrut/ledger/config/load-settings';
import { configKeys } from '@unrut/ledger/config/schema';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { schemaFile } from '../../scripts/schema.ts';
import { ENTRANCES, type Entrance } from './entrances.ts';
import { makePlace } from './place.ts';

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
}
const shipped = JSON.parse(readFileSync(schemaFile, 'utf8')) as JsonSchema;
/** Validates settings independently of our own checks. */
const conforms = new Ajv2020({ allowUnionTypes: true, strictTypes: false }).compile(shipped);

type Path = readonly string[];

/** Every key of the schema; where any name is a key, one such name. */
function keysIn({ properties = {}, additionalProperties: any }: JsonSchema, above: Path): Path[] {
  const named = Object.entries(properties).filter(([key]) => key !== '$schema');
  const free: [string, JsonSchema][] = typeof any === 'object' ? [['some', any]] : [];
  return [...named, ...free].flatMap(([key, schema]) => {
    const path = [...above, key];
    return [path, ...keysIn(schema, path)];
  });
}
const KEYS = keysIn(shipped, []);

/** Of every type: empty, unknown, negative, huge. */
const VALUES: readonly unknown[] = [
  'nonsense',
  '',
  'nonsense '.repeat(2000),
  -1,
  0.5,
  1e300,
  true,
  null,
  [],
  ['nonsense'],
  [null],
  [-1],
  {},
  { nonsense: 1 },
];
const TEXTS = ['nonsense', '-1', '0.5', '1e300', 'a,b', '{}', '[]', 'null', 'x'.repeat(5000)];

const configWith = (path: Path, value: unknown): object =>
  path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;
const wrongFor = (path: Path): unknown[] =>
  VALUES.filter((value) => !conforms(configWith(path, value)));

const isMap = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** With valid settings besides the wrong one. */
function beside(config: { tools?: unknown; companion?: unknown }): typeof config {
  const { tools = {} } = config;
  const kept = isMap(tools) ? { ...tools, kept: { poll: true } } : tools;
  return { companion: false, ...config, tools: kept };
}
const isKept = ({ tools }: { tools?: unknown }): boolean => isMap(tools) && 'kept' in tools;

function expectSound({ settings, config }: LoadedSettings, about: string): void {
  expect(conforms(config), about).toBe(true);
  expect(() => createGuard(settings.guard), about).not.toThrow();
}

const WAYS = ['user/unrut.config.json', 'project/unrut.config.json'] as const;

test('every key has wrong values', () => {
  expect(KEYS.length).toBeGreaterThan(250);
  for (const path of KEYS) expect(wrongFor(path).length, path.join('.')).toBeGreaterThan(4);
});

test.each(WAYS)('in %s any wrong value is reported by its key, and the rest applies', (file) => {
  const place = makePlace();
  const environment = { UNRUT_TRUST: place.project };
  for (const path of KEYS)
    for (const value of wrongFor(path)) {
      const about = `${path.join('.')}: ${JSON.stringify(value)?.slice(0, 40)}`;
      const config = beside(configWith(path, value));
      place.write(file, config);
      const loaded = place.load(environment);
      expect(loaded.problems.join('\n'), about).toContain(`\`${path.join('.')}`);
      expectSound(loaded, about);
      if (path[0] !== 'companion') expect(loaded.settings.companion, about).toBe(false);
      if (isKept(config))
        expect(loaded.settings.guard.tools, about).toMatchObject({ kept: { poll: true } });
    }
});

test('in a variable any value is used, or reported by the name of the variable', () => {
  const place = makePlace({ 'user/unrut.config.json': beside({}) });
  let wrong = 0;
  for (const { path } of configKeys())
    for (const text of TEXTS) {
      const name = variableName(path);
      const loaded = place.load({ [name]: text });
      const about = `${name}=${text.slice(0, 40)}`;
      if (loaded.problems.length > 0) {
        wrong++;
        expect(loaded.problems.join('\n'), about).toContain(name);
      } else expect(Object.values(loaded.sources), about).toContain(name);
      expectSound(loaded, about);
      if (path[0] !== 'tools')
        expect(loaded.settings.guard.tools, about).toMatchObject({ kept: { poll: true } });
    }
  expect(wrong).toBeGreaterThan(1000);
});

test('a variable of computer use that says neither on nor off is reported and changes nothing', () => {
  const names = [...SWITCHES].map(variableOf);
  for (const [i, name] of names.entries())
    for (const text of TEXTS) {
      const environment = { [name]: text, [names[(i + 1) % names.length]!]: 'disabled' };
      expect(switchProblems(environment).join('\n')).toMatch(
        new RegExp(`^Expected \`${name}\` .* Ignored\\.$`),
      );
      expect([...readSwitches([], environment)]).toEqual([SWITCHES[(i + 1) % SWITCHES.length]]);
      expect([...readPermissions([], environment)]).toEqual([]);
    }
});

/** Steps of many kinds, none like another. */
const STEPS: AgentEvent[] = Array.from({ length: 300 }, (_, i) => {
  const about = { session: 's', at: 1_794_800_000_000 + 3000 * i };
  const call = { id: `c${i}`, tool: 'Read', args: { file_path: `part${i}.ts` } };
  const text = `Module ${i} exports thing${i}, which part${i} needs for its own check of words.`;
  return [
    { ...about, type: 'call-proposed', call, intent: text },
    { ...about, type: 'call-finished', call, intent: text, result: `${text} ${i}` },
    { ...about, type: 'message-finished', text },
    { ...about, type: 'output-finished', output: `Fixed part${i}.ts - added check ${i}` },
  ] as AgentEvent[];
}).flat();
const MAX_STATE = 64 * 1024;

test('a huge number that is allowed takes neither time nor room', () => {
  const place = makePlace();
  const huge = KEYS.filter((path) => conforms(configWith(path, 1e300)));
  expect(huge.length).toBeGreaterThan(50);
  for (const path of huge) {
    place.write('user/unrut.config.json', configWith(path, 1e300));
    const guard = createGuard(place.load().settings.guard);
    for (const event of STEPS) guard.observe(event);
    const size = JSON.stringify(guard.snapshot('s')).length;
    expect(size, path.join('.')).toBeLessThan(MAX_STATE);
  }
});

/** Possible effects of a wrong setting on a loop; the report mentions them. */
const QUIET = /record-only|`(?:repeated-call|say-what-repeats|output-signature|task-loop)` is off/;

describe.each(Object.entries(ENTRANCES))('%s', (name, open) => {
  let entrance: Entrance;
  beforeAll(async () => {
    entrance = await open();
    return () => entrance.close?.();
  });

  test('reports a loop without any settings', async () => {
    expect(await entrance.isTold(makePlace(), {})).toBe(true);
  });

  test('neither ends nor falls silent, whatever setting is wrong', async () => {
    const place = makePlace();
    for (const [i, path] of KEYS.entries()) {
      const values = wrongFor(path);
      const value = values[(i + name.length) % values.length];
      place.write('user/unrut.config.json', beside(configWith(path, value)));
      const { problems } = place.load();
      const about = `${path.join('.')}: ${JSON.stringify(value)?.slice(0, 40)}`;
      const told = await entrance.isTold(place, {});
      if (!QUIET.test(problems.join('\n'))) expect({ about, told }).toEqual({ about, told: true });
    }
  });

  test('neither ends nor falls silent, whatever variable is wrong', async () => {
    const place = makePlace();
    for (const [i, { path }] of configKeys().entries()) {
      const variables = { [variableName(path)]: TEXTS[(i + name.length) % TEXTS.length]! };
      const { problems, config } = place.load(variables);
      const isSet = problems.length === 0 && Object.keys(config).length > 0;
      const told = await entrance.isTold(place, variables);
      const about = JSON.stringify(variables).slice(0, 80);
      if (!isSet && !QUIET.test(problems.join('\n')))
        expect({ about, told }).toEqual({ about, told: true });
    }
  });
});
