import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeSchema, schemaFile } from '../../scripts/schema.ts';
import { check } from '../../src/config/check.ts';
import { defineConfig } from '../../src/config/define-config.ts';
import { parseJsonc } from '../../src/config/parse-jsonc.ts';
import { configSchema, type Schema } from '../../src/config/schema.ts';
import { keysOf } from '../../src/config/schema-keys.ts';
import { recommended } from '../../src/presets.ts';

const shipped = JSON.parse(readFileSync(schemaFile, 'utf8')) as Schema;
const conforms = new Ajv2020({ allowUnionTypes: true, strictTypes: false }).compile(shipped);

describe('the schema of a config', () => {
  test('that is shipped is the one of the code; else run `npm run schema`', () => expect(shipped).toEqual(makeSchema()));

  test('names every detector, recovery and option, each with a description and its default', () => {
    const keys = new Map(keysOf(shipped).map(({ path, schema }) => [path.join('.'), schema]));
    for (const [kind, pieces] of [
      ['detectors', recommended.detectors],
      ['recoveries', recommended.recoveries],
    ] as const) {
      for (const { name, options } of pieces) {
        expect(keys.get(`${kind}.${name}`), name).toMatchObject({ default: true, description: expect.stringMatching(/^[A-Z].*\.$/) });
        for (const [option, value] of Object.entries(options)) {
          const described = { default: value, description: expect.stringMatching(/^[A-Z0-9].*\.$/) };
          expect(keys.get(`${kind}.${name}.${option}`), `${name}.${option}`).toMatchObject(described);
        }
      }
    }
  });

  test('allows what the types allow', () => {
    const config = defineConfig({
      preset: 'strict',
      shadow: true,
      attended: false,
      detectors: { cycle: { laps: 4, rungs: { first: 'hint', highest: 'block' } }, stuck: false },
      recoveries: { 'suggest-backoff': { firstSeconds: 30 }, 'stop-run': true },
      skip: ['redirect'],
      tools: { jobs: { poll: true, identity: ['id'], verb: 'read', target: 'path' } },
      allow: [],
      notify: { command: ['notify-send', '{text}'], webhook: 'http://127.0.0.1/hook' },
      ledger: { path: '~/ledger.db', retention: { days: 7, megabytes: 50 } },
      trust: ['~/code'],
    });
    expect(conforms(config), JSON.stringify(conforms.errors)).toBe(true);
  });

  test('allows what the documentation shows', () => {
    const documentation = readFileSync(new URL('../../docs/config.md', import.meta.url), 'utf8');
    const [, example] = /```jsonc\n(.*?)```/s.exec(documentation)!;
    expect(conforms(parseJsonc(example!)), JSON.stringify(conforms.errors)).toBe(true);
  });

  test('accepts its own defaults', () => {
    for (const { path, schema } of keysOf(shipped)) {
      if (schema.default === undefined) continue;
      const config = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), schema.default);
      expect(conforms(config), path.join('.')).toBe(true);
    }
  });

  test('is read in the same way by a validator that knows all of JSON Schema', () => {
    const schema = configSchema();
    const names = (kind: 'detectors' | 'recoveries') => fc.constantFrom(...Object.keys(schema.properties![kind]!.properties!), 'toString');
    const scalar = fc.oneof(
      fc.boolean(),
      fc.integer({ min: -1, max: 9 }),
      fc.double({ min: 0, max: 2 }),
      fc.constantFrom('note', 'stop', '', null),
    );
    const options = fc.dictionary(fc.constantFrom('threshold', 'laps', 'fresh', 'calls', 'window'), scalar, { maxKeys: 2 });
    const rungs = fc.record({ rungs: fc.dictionary(fc.constantFrom('first', 'highest', 'last'), scalar) });
    const wild: Record<string, fc.Arbitrary<unknown>> = {
      preset: fc.constantFrom('strict', 'Strict', 1),
      shadow: scalar,
      detectors: fc.dictionary(names('detectors'), fc.oneof(scalar, options, rungs), { maxKeys: 2 }),
      recoveries: fc.dictionary(names('recoveries'), fc.oneof(scalar, options), { maxKeys: 2 }),
      skip: fc.oneof(scalar, fc.array(scalar)),
      tools: fc.dictionary(fc.string(), fc.dictionary(fc.constantFrom('poll', 'identity', 'verb'), fc.oneof(scalar, fc.array(scalar)))),
      notify: fc.dictionary(fc.constantFrom('command', 'webhook'), fc.oneof(scalar, fc.array(scalar), fc.webUrl())),
      ledger: fc.oneof(scalar, fc.record({ retention: fc.dictionary(fc.constantFrom('days', 'megabytes'), scalar) })),
      $schema: scalar,
      other: scalar,
    };
    const config = fc.oneof(...Object.entries(wild).map(([key, value]) => value.map((each) => ({ [key]: each }))));
    let accepted = 0;
    fc.assert(
      fc.property(config, (value) => {
        const complaints: string[] = [];
        const sound = check(value, schema, (_, what) => complaints.push(what));
        const agrees = conforms(value);
        if (agrees) accepted++;
        expect(complaints.length === 0).toBe(agrees);
        expect(conforms(sound)).toBe(true);
      }),
      { numRuns: 2000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});
