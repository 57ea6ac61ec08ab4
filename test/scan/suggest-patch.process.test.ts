import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Suggestion } from '@unrut/ledger/report/scan-report';
import { withPatch } from '@unrut/logs/suggest/diff';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unrut-suggest-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the patch of a suggestion', () => {
  const line: Suggestion = {
    rule: 'failing-command',
    kind: 'instruction',
    repository: 'shop',
    text: '',
    file: 'AGENTS.md',
    add: '- Run `npm test -- -t NAME`.',
    runs: [],
    wastedSteps: 4,
  };
  const permission: Suggestion = {
    ...line,
    kind: 'permission',
    file: '.claude/settings.json',
    under: ['permissions', 'allow'],
    add: '"Bash(npm test)"',
  };
  const poll: Suggestion = {
    ...line,
    kind: 'config',
    file: 'unrut.config.json',
    under: ['tools'],
    add: '"crm_lead": { "poll": true }',
  };

  function project(files: Record<string, string>): string {
    const at = join(folder, 'shop');
    mkdirSync(join(at, '.claude'), { recursive: true });
    for (const [name, content] of Object.entries(files)) writeFileSync(join(at, name), content);
    return at;
  }
  function applied(suggestion: Suggestion, at: string): string {
    execFileSync('git', ['init', '-q'], { cwd: at });
    execFileSync('git', ['apply', '-'], { cwd: at, input: withPatch(suggestion, at).patch! });
    return readFileSync(join(at, suggestion.file), 'utf8');
  }

  it.each<[string, Suggestion, Record<string, string>, string]>([
    [
      'a line at the end of a file',
      line,
      { 'AGENTS.md': '# Shop\n\n- a\n- b\n' },
      '# Shop\n\n- a\n- b\n- Run `npm test -- -t NAME`.\n',
    ],
    [
      'a line after a last line without an end',
      line,
      { 'AGENTS.md': '# Shop' },
      '# Shop\n- Run `npm test -- -t NAME`.\n',
    ],
    ['a new file', line, {}, '- Run `npm test -- -t NAME`.\n'],
    [
      'an entry of a list',
      permission,
      {
        '.claude/settings.json':
          '{\n  "permissions": {\n    "allow": [\n      "Read"\n    ]\n  },\n  "model": "opus"\n}\n',
      },
      '{\n  "permissions": {\n    "allow": [\n      "Read",\n      "Bash(npm test)"\n    ]\n  },\n  "model": "opus"\n}\n',
    ],
    [
      'a new config',
      poll,
      {},
      '{\n  "tools": {\n    "crm_lead": {\n      "poll": true\n    }\n  }\n}\n',
    ],
  ])('adds %s', (_, suggestion, files, expected) => {
    expect(applied(suggestion, project(files))).toBe(expected);
  });

  it('is left out in another folder, for a broken file, and if a secret is near', () => {
    expect(withPatch(line, folder)).not.toHaveProperty('patch');
    expect(
      withPatch(permission, project({ '.claude/settings.json': '{ "a": ' })),
    ).not.toHaveProperty('patch');
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    expect(withPatch(line, project({ 'AGENTS.md': `token: ${secret}\n` }))).not.toHaveProperty(
      'patch',
    );
  });
});
