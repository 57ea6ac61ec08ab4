import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { JsonObject } from '@unrut/engine/json';
import { HOST_FAMILIES } from '@unrut/engine/tools';
import { recordsOf } from '@unrut/test/importers/import-file';
import { type HostSamples, testHost } from '@unrut/test/suites/test-host';
import { describe, expect, it } from 'vitest';
import { generatedFiles } from '../../../../scripts/generate-hosts.ts';
import type { Host } from './define-host.ts';
import { hosts } from './index.ts';

const root = new URL('../../../../', import.meta.url);
const textOf = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const filesIn = (folder: string): string[] =>
  existsSync(new URL(folder, root)) ? readdirSync(new URL(folder, root)).sort() : [];

/** The fixtures in a host's folder, and the recorded runs named after its formats. */
function samplesOf({ name, transcripts = [] }: Host): HostSamples {
  const folder = `packages/agents/src/hosts/${name}`;
  const fixtures = filesIn(`${folder}/fixtures`).map((file) => `${folder}/fixtures/${file}`);
  const formats = transcripts.map((format) => format.name);
  return {
    payloads: fixtures
      .filter((file) => file.endsWith('.jsonl'))
      .map((file) => linesOf(textOf(file))),
    settings: fixtures.filter((file) => /\/settings\./.test(file)).map(textOf),
    transcripts: filesIn('test/fixtures/transcripts')
      .filter((file) => /\.jsonl?$/.test(file) && formats.some((format) => file.startsWith(format)))
      .map(recordsOf),
    ...(existsSync(new URL(`${folder}/README.md`, root))
      ? { readme: textOf(`${folder}/README.md`) }
      : {}),
  };
}

const linesOf = (text: string): JsonObject[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);

describe.each(hosts.map((host: Host) => [host.name, host] as const))('the host %s', (_, host) => {
  for (const { name, run } of testHost(host, samplesOf(host))) it(name, run);
});

it('names every family of tools of a host', () => {
  const named = hosts.flatMap(({ tools }: Host) => (tools ? [tools] : []));
  expect(new Set(named)).toEqual(new Set(HOST_FAMILIES));
});

it('has a line in the registry for every folder', () => {
  const folders = filesIn('packages/agents/src/hosts').filter((name) =>
    existsSync(new URL(`packages/agents/src/hosts/${name}/host.ts`, root)),
  );
  expect(hosts.map(({ name }) => name as string).sort()).toEqual(folders);
});

it('has a word in the changelog, or in a changeset that will be part of it, for every host', () => {
  const pending = filesIn('.changeset').filter((name) => name.endsWith('.md'));
  const changelog = ['CHANGELOG.md', ...pending.map((name) => `.changeset/${name}`)]
    .map(textOf)
    .join('\n');
  const missing = hosts.filter(({ label }: Host) => !new RegExp(`\\b${label}\\b`).test(changelog));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

it.each([...generatedFiles()])(
  '%s says what the registry says (npm run format writes it)',
  (file, text) => {
    expect(textOf(file)).toBe(text);
  },
);
