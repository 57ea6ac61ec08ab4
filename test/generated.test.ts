import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { claudeLikeAnswer } from '@unrut/agents/hosts/claude-code/answer';
import { claudePayload } from '@unrut/agents/hosts/claude-code/payload';
import { defineHost, type Host } from '@unrut/agents/hosts/define-host';
import { commandFor } from '@unrut/agents/settings-files/hook-command';
import { testHost } from '@unrut/test/suites/test-host';
import { testDetector } from '@unrut/testing';
import { describe, expect, test } from 'vitest';
import { claudeLikeSettings } from '../packages/agents/src/hosts/claude-code/install.ts';
import { joinOn, settingsPath } from '../packages/agents/src/settings-files/places.ts';
import { type Detector, defineDetector, option, recommended } from '../packages/cli/src/index.ts';
import { failures } from '../packages/engine/src/failures/index.ts';
import { root } from '../scripts/build.ts';
import { withFolders, withOptionTable } from '../scripts/generate.ts';
import { makeMessages, messagesFile } from '../scripts/messages.ts';
import { newDetector, withRow } from '../scripts/new-detector.ts';
import { newHost, withHost } from '../scripts/new-host.ts';
import { makeSchema, schemaFile } from '../scripts/schema.ts';
import { traceComplaints } from './structure/detector-rules.ts';
import { DETECTOR, folderComplaints, optionComplaints } from './structure/folders.ts';

describe('npm run new:detector writes a detector', () => {
  const files = newDetector('going-round');
  const body = stripTypeScriptTypes(files['detector.ts'])
    .replaceAll(/^import .*$/gm, '')
    .replace('export const goingRound =', 'return');
  const goingRound = new Function('defineDetector', 'option', body)(
    defineDetector,
    option,
  ) as Detector;
  const folder = {
    name: 'going-round',
    files: Object.keys(files),
    exported: { goingRound },
    readme: files['README.md'],
  };

  test('that conforms, but for the reason of its number', () => {
    expect([...folderComplaints(folder, DETECTOR), ...traceComplaints(folder)]).toEqual([]);
    expect(optionComplaints(folder, goingRound.declared)).toEqual([
      'going-round: option threshold has no reason for its number',
    ]);
  });

  for (const { name, run } of testDetector(goingRound, files['README.md'])) test(name, run);

  test('and puts it into the table of what is detected', () => {
    const rows = ['chanting', 'cycle', 'stuck'].map(
      (name) => `| [\`${name}\`](../packages/engine/src/detectors/${name}/README.md) | words |`,
    );
    const row =
      '| [`going-round`](../packages/engine/src/detectors/going-round/README.md) | TODO (on trial) |';
    const withTable = (...lines: string[]): string =>
      ['# Unrut', '', '| detector | sees |', '|---|---|', ...lines, ''].join('\n');
    expect(withRow(withTable(...rows), 'going-round')).toBe(
      withTable(rows[0]!, rows[1]!, row, rows[2]!),
    );
    expect(withRow(withTable(rows[2]!), 'going-round')).toBe(withTable(row, rows[2]!));
  });
});

describe('npm run new:host writes a host', () => {
  const files = newHost('going-round');
  const built = ['install.ts', 'host.ts'].map((file) =>
    stripTypeScriptTypes(files[file]!).replaceAll(/^import .*$/gm, ''),
  );
  const parts = {
    claudeLikeAnswer,
    claudeLikeSettings,
    claudePayload,
    commandFor,
    defineHost,
    joinOn,
    settingsPath,
  };
  const body = `${built.join('').replaceAll('export const', 'const')}; return goingRound;`;
  const goingRound = new Function(...Object.keys(parts), body)(...Object.values(parts)) as Host;
  const payloads = [
    files['fixtures/recorded.jsonl']!.trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ];
  const samples = {
    payloads,
    settings: [files['fixtures/settings.json']!],
    readme: files['README.md']!,
  };
  for (const { name, run } of testHost(goingRound, samples)) test(name, run);

  test('and puts it into the registry', () => {
    const registry =
      "import { zed } from './zed/host.ts';\n\nexport const hosts = [\n  zed,\n] as const;\n";
    const added = withHost(registry, 'going-round');
    expect(added).toMatch(/^import \{ goingRound \} from '.\/going-round\/host.ts';\n/);
    expect(added).toContain('  zed,\n  goingRound,\n] as const;');
  });
});

test('npm run format puts every folder into the index of detectors', () => {
  const index = readFileSync(join(root, 'packages/engine/src/detectors/index.ts'), 'utf8');
  const folders = [...index.matchAll(/from '\.\/([\w-]+)\/detector\.ts'/g)].map(
    ([, name]) => name!,
  );
  const made = withFolders(index, [...folders, 'going-round'].sort());
  expect(made).toContain("import { goingRound } from './going-round/detector.ts';\n");
  expect(made.match(/^ {2}goingRound,$/gm)).toHaveLength(2);
  expect(withFolders(made, folders).split('\n').sort()).toEqual(index.split('\n').sort());
});

test('npm run format writes the table of options and keeps the reasons', () => {
  const declared = {
    laps: option.integer(3, { from: 2 }, 'Laps.'),
    fresh: option.share(0.5, 'A share of a|b.'),
  };
  const old =
    '# x\n\n## Options\n\n| option | default | why this number |\n|---|---|---|\n| laps | 3 | two are a check |\n';
  const made = withOptionTable(old, declared);
  expect(made).toContain(
    '| `laps` | `3` | Laps. | two are a check |\n| `fresh` | `0.5` | A share of a\\|b. | TODO |\n',
  );
  expect(withOptionTable(made, declared)).toBe(made);
  const changed = withOptionTable(made, { ...declared, laps: { ...declared.laps, default: 4 } });
  expect(changed).toContain('| `laps` | `4` | Laps. | TODO (of `3`): two are a check |');
  expect(withOptionTable(made, {})).toBe('# x\n\n## Options\n\nNone.\n');
});

test('the schema of settings is the one of the code; else run `npm run format`', () => {
  expect(JSON.parse(readFileSync(schemaFile, 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(makeSchema())),
  );
});

describe('docs/messages.md', () => {
  const page = makeMessages();
  const texts = [...page.matchAll(/(?:^> .*\n)+/gm)].map(([text]) =>
    text
      .replace(/^(?:> )+/gm, '')
      .replaceAll('\n', ' ')
      .trim(),
  );

  test('has the words of the code; else run `npm run format`', () =>
    expect(readFileSync(messagesFile, 'utf8')).toBe(page));

  test('has a text of every detector that may speak, and of nearly every kind of failure', () => {
    const speaking = recommended.detectors.filter(({ status }) => status !== 'witness');
    expect(
      speaking.filter(({ name }) => !page.includes(`**${name}/`)).map(({ name }) => name),
    ).toEqual([]);
    // Temporary failures get only the advice to wait.
    expect(
      failures.filter(({ name }) => !page.includes(`**${name}**`)).map(({ name }) => name),
    ).toEqual(['rate-limited']);
  });

  test('every text names Unrut once, or is the one whose words are fixed, and is short enough', () => {
    for (const text of texts) {
      expect(text.match(/unrut/gi) ?? [], text).toHaveLength(
        /^Note: 3rd consecutive patch on this widget/.test(text) ? 0 : 1,
      );
      expect(text.length, text).toBeLessThan(700);
      if (/^Unrut \(loop guard\): /.test(text) && !/ 3\. /.test(text))
        expect(text.length, text).toBeLessThan(400);
    }
  });

  test('no text has step numbers, scores, risks, or advice to use the result of a failure', () => {
    for (const text of texts) {
      expect(text).not.toMatch(/\bstep \d|score|read_only|side_effect|reversible| \| \d/);
      if (/failed|error/.test(text))
        expect(text).not.toMatch(/result you (?:already )?have|work with the result/i);
    }
  });
});
