import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scanSarif } from '@unrut/ledger/report/outputs';
import { scan } from '@unrut/logs/scan/scan';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTALL_TIMEOUT, installPackage } from '../real/install-agent.ts';
import { call, lines, person, stuck } from '../scan/neutral.ts';

const folder = mkdtempSync(join(tmpdir(), 'unrut-sarif-'));
afterAll(() => rmSync(folder, { recursive: true }));

let faults: (sarif: string) => string[];

beforeAll(async () => {
  // The catalogue of JSON schemas has the one of the standard.
  const catalogue = await installPackage('schemastore', '0.2.2');
  const schema = JSON.parse(readFileSync(join(catalogue, 'schemas/json/sarif-2.1.0.json'), 'utf8'));
  // Its patterns are older than the flag for Unicode, and formats need a package of their own.
  const check = new Ajv({
    allErrors: true,
    strict: false,
    validateFormats: false,
    unicodeRegExp: false,
  }).compile(schema);
  faults = (sarif) =>
    check(JSON.parse(sarif))
      ? []
      : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}, INSTALL_TIMEOUT);

const sarifOf = async (...paths: string[]): Promise<string> =>
  scanSarif(await scan({ paths }), '0.1.0');

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

describe('SARIF keeps to the schema of the standard', () => {
  it('of real runs, with loops and with files that nobody can read', async () => {
    const samples = readdirSync('test/fixtures/transcripts').map((name) =>
      join('test/fixtures/transcripts', name),
    );
    const sarif = await sarifOf(...samples, file('strange.json', '{"name":"x"}'));
    expect(faults(sarif)).toEqual([]);
    const [run] = JSON.parse(sarif).runs;
    expect(run.results.length).toBeGreaterThan(1);
    expect(run.invocations[0].toolExecutionNotifications).not.toEqual([]);
    expect(run.results[0].locations[0].physicalLocation).toMatchObject({
      artifactLocation: { uri: expect.stringMatching(/^test\/fixtures/) },
      region: { startLine: 1 },
    });
  });

  it('of odd names and texts, and of nothing at all', async () => {
    const odd = Array.from({ length: 6 }, (_, n) =>
      call(1 + n, 'Bash', { command: 'echo "<b>\u0007\ud800" 100%' }, 'Error: no'),
    );
    const looping = [
      file('a <&|#%.jsonl', lines([person(0, 'Go.'), ...odd])),
      file('b.jsonl', lines(stuck())),
    ];
    const sarif = await sarifOf(...looping);
    expect(faults(sarif)).toEqual([]);
    expect(
      JSON.parse(sarif).runs[0].results.map(
        (each: { locations: [{ physicalLocation: { artifactLocation: { uri: string } } }] }) =>
          each.locations[0].physicalLocation.artifactLocation.uri,
      ),
    ).toContain(`file://${folder}/a%20%3C%26%7C%23%25.jsonl`);
    expect(faults(await sarifOf(file('empty.jsonl', '')))).toEqual([]);
  });

  it('and what does not is refused: the twin', () => {
    expect(
      faults('{"version":"2.1.0","runs":[{"tool":{"driver":{}},"results":[{"level":"bad"}]}]}'),
    ).not.toEqual([]);
  });
});
