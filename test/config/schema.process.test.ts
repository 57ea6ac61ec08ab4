import { readFileSync } from 'node:fs';
import { recommended } from '@unrut/engine/presets';
import { checkValue } from '@unrut/engine/schema/problems';
import { defineConfig } from '@unrut/ledger/config/config';
import { configKeys, configSchema } from '@unrut/ledger/config/schema';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { schemaFile } from '../../scripts/schema.ts';

const shipped = JSON.parse(readFileSync(schemaFile, 'utf8')) as JsonSchema;
interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  description?: string;
  default?: unknown;
}
const shippedAt = (path: readonly string[]): JsonSchema =>
  path.reduce((schema, key) => schema.properties![key]!, shipped);
const conforms = new Ajv2020({ allowUnionTypes: true, strictTypes: false }).compile(shipped);

describe('the schema of a config', () => {
  test('names every detector, recovery and option, each with a description and its default', () => {
    const keys = new Map(configKeys().map(({ path }) => [path.join('.'), shippedAt(path)]));
    for (const [kind, pieces] of [
      ['detectors', recommended.detectors],
      ['recoveries', recommended.recoveries],
    ] as const) {
      for (const { name, declared } of pieces) {
        expect(keys.get(`${kind}.${name}`), name).toMatchObject({
          default: true,
          description: expect.stringMatching(/^[A-Z].*\.$/),
        });
        for (const [option, { default: value, about }] of Object.entries(declared)) {
          const described = { default: value, description: about };
          expect(keys.get(`${kind}.${name}.${option}`), `${name}.${option}`).toMatchObject(
            described,
          );
        }
      }
    }
  });

  test('allows what the types allow', () => {
    const config = defineConfig({
      preset: 'strict',
      shadow: true,
      attended: false,
      detectors: {
        cycle: { laps: 4, rungs: { first: 'hint', highest: 'block' } },
        monologue: false,
      },
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
    expect(
      conforms(parse(example!, [], { allowTrailingComma: true })),
      JSON.stringify(conforms.errors),
    ).toBe(true);
  });

  test('accepts its own defaults', () => {
    for (const { path } of configKeys()) {
      if (shippedAt(path).default === undefined) continue;
      const config = path.reduceRight<unknown>(
        (inner, key) => ({ [key]: inner }),
        shippedAt(path).default,
      );
      expect(conforms(config), path.join('.')).toBe(true);
    }
  });

  test('is read in the same way by a validator that knows all of JSON Schema', () => {
    const schema = configSchema();
    const names = (kind: 'detectors' | 'recoveries') =>
      fc.constantFrom(...recommended[kind].map(({ name }) => name), 'toString');
    const scalar = fc.oneof(
      fc.boolean(),
      fc.integer({ min: -1, max: 9 }),
      fc.double({ min: 0, max: 2 }),
      fc.constantFrom('note', 'stop', '', null),
    );
    const options = fc.dictionary(
      fc.constantFrom('threshold', 'laps', 'fresh', 'calls', 'window'),
      scalar,
      { maxKeys: 2 },
    );
    const rungs = fc.record({
      rungs: fc.dictionary(fc.constantFrom('first', 'highest', 'last'), scalar),
    });
    const wild: Record<string, fc.Arbitrary<unknown>> = {
      preset: fc.constantFrom('strict', 'Strict', 1),
      shadow: scalar,
      detectors: fc.dictionary(names('detectors'), fc.oneof(scalar, options, rungs), {
        maxKeys: 2,
      }),
      recoveries: fc.dictionary(names('recoveries'), fc.oneof(scalar, options), { maxKeys: 2 }),
      skip: fc.oneof(scalar, fc.array(scalar)),
      tools: fc.dictionary(
        fc.string(),
        fc.dictionary(
          fc.constantFrom('poll', 'identity', 'verb'),
          fc.oneof(scalar, fc.array(scalar)),
        ),
      ),
      notify: fc.dictionary(
        fc.constantFrom('command', 'webhook'),
        fc.oneof(scalar, fc.array(scalar), fc.webUrl()),
      ),
      ledger: fc.oneof(
        scalar,
        fc.record({ retention: fc.dictionary(fc.constantFrom('days', 'megabytes'), scalar) }),
      ),
      $schema: scalar,
      other: scalar,
    };
    const config = fc.oneof(
      ...Object.entries(wild).map(([key, value]) => value.map((each) => ({ [key]: each }))),
    );
    let accepted = 0;
    fc.assert(
      fc.property(config, (value) => {
        const { sound, problems } = checkValue(schema, value);
        const agrees = conforms(value);
        if (agrees) accepted++;
        expect(problems.length === 0).toBe(agrees);
        expect(conforms(sound)).toBe(true);
      }),
      { numRuns: 2000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});
