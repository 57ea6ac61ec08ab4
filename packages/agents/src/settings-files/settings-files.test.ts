import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { agentNamed, fileOf, NAMES, orderIn, withSettings } from '@unrut/test/install/place';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { installableHosts } from '../hosts/index.ts';
import { connect, disconnect } from '../install/connect.ts';
import { backupOf } from './change-file.ts';

const bytes = (path: string): string => readFileSync(path).toString('latin1');
const withoutEnd = (line: string): string => line.replace(/[\s\]}]*$/, '');
const BY_DEFAULT = { rules: false, dryRun: false };

it('a list of hooks in one line stays in one line, also when our part in it is replaced', () => {
  const crush = agentNamed('crush');
  const before = '{\n  "hooks": {\n    "PreToolUse": [{ "command": "./mine.sh" }]\n  }\n}\n';
  const old = orderIn();
  const path = fileOf('crush', old);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, before);
  connect(crush, { ...old, call: { ...old.call, shadow: true } }, BY_DEFAULT);
  const first = bytes(path);
  expect(first.split('\n')).toHaveLength(before.split('\n').length);
  connect(crush, old, BY_DEFAULT);
  expect(bytes(path)).toBe(first.replace(' --shadow', ''));
  disconnect(crush, old, false);
  expect(bytes(path)).toBe(before);
});

describe.each(NAMES)('the settings of %s', (name) => {
  const agent = agentNamed(name);

  it('keep every line of others when it is connected', () => {
    const order = orderIn();
    const path = withSettings(name, order);
    const before = bytes(path);
    connect(agent, order, BY_DEFAULT);
    const after = bytes(path);
    expect(after).not.toBe(before);
    if (name !== 'codex') {
      const kept = new Set(
        after
          .split(/\r?\n/)
          .map((line) => line.replace(/^# unrut: was /, '').replace(/,(?=\s*(?:\/\/.*)?$)/, '')),
      );
      for (const line of before
        .split(/\r?\n/)
        .map((each) => each.replace(/,(?=\s*(?:\/\/.*)?$)/, ''))) {
        // In a single-line list, our part is added before its end.
        const isLonger =
          line.endsWith(']') && [...kept].some((each) => each.startsWith(withoutEnd(line)));
        if (!isLonger) expect(kept).toContain(line);
      }
    }
    expect(bytes(backupOf(path))).toBe(before);
  });

  it('are what they were, to the byte, when it is disconnected', () => {
    const order = orderIn();
    const path = withSettings(name, order);
    const before = bytes(path);
    connect(agent, order, BY_DEFAULT);
    disconnect(agent, order, false);
    expect(bytes(path)).toBe(before);
    expect(readdirSync(dirname(path))).toHaveLength(1);
  });

  it('are what they were also without the backup', () => {
    const order = orderIn();
    const path = withSettings(name, order);
    const before = bytes(path);
    connect(agent, order, BY_DEFAULT);
    rmSync(backupOf(path));
    disconnect(agent, order, false);
    expect(bytes(path)).toBe(before);
  });

  it('are not changed by connecting it again', () => {
    const order = orderIn();
    const path = withSettings(name, order);
    connect(agent, order, BY_DEFAULT);
    const once = bytes(path);
    expect(connect(agent, order, BY_DEFAULT)).toEqual([]);
    expect(bytes(path)).toBe(once);
  });

  it('get the newest form of our part in the place of an older one', () => {
    const order = orderIn();
    const path = withSettings(name, order);
    const before = bytes(path);
    connect(
      agent,
      { ...order, call: { ...order.call, hook: '/home/dev/old/dist/hook.cjs', shadow: true } },
      BY_DEFAULT,
    );
    connect(agent, order, BY_DEFAULT);
    const updated = bytes(path);
    expect(updated).not.toContain('/home/dev/old');
    expect(updated).not.toContain('--shadow');
    const fresh = orderIn();
    const other = withSettings(name, fresh);
    connect(agent, fresh, BY_DEFAULT);
    expect(updated).toBe(bytes(other));
    disconnect(agent, order, false);
    expect(bytes(path)).toBe(before);
  });

  it('are left as they are by a dry run', () => {
    const order = orderIn();
    const path = withSettings(name, order);
    const before = bytes(path);
    expect(
      connect(agent, order, { ...BY_DEFAULT, dryRun: true }).map((change) => change.path),
    ).toContain(path);
    expect(bytes(path)).toBe(before);
    expect(existsSync(backupOf(path))).toBe(false);
  });

  it('stay behind their link, with their mode', () => {
    const order = orderIn();
    const path = withSettings(name, order);
    const elsewhere = join(order.at.home, 'dotfiles');
    renameSync(path, elsewhere);
    symlinkSync(elsewhere, path);
    chmodSync(elsewhere, 0o640);
    const before = bytes(path);
    connect(agent, order, BY_DEFAULT);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(bytes(elsewhere)).not.toBe(before);
    expect(statSync(elsewhere).mode & 0o777).toBe(0o640);
    disconnect(agent, order, false);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(bytes(elsewhere)).toBe(before);
  });
});

describe('settings that somebody changed after they were connected', () => {
  it('lose only our part', () => {
    const order = orderIn();
    const path = withSettings('claude-code', order);
    const before = readFileSync(path, 'utf8');
    connect(agentNamed('claude-code'), order, BY_DEFAULT);
    const change = (text: string): string =>
      text
        .replace('"opus"', '"sonnet"')
        .replace(
          '"Stop": [',
          '"Stop": [\n      { "hooks": [{ "type": "command", "command": "say done" }] },',
        );
    writeFileSync(path, change(readFileSync(path, 'utf8')));
    disconnect(agentNamed('claude-code'), order, false);
    expect(readFileSync(path, 'utf8')).toBe(change(before));
  });

  it('keep handlers that were put next to ours, and those that came later', () => {
    const order = orderIn();
    const path = withSettings('claude-code', order);
    connect(agentNamed('claude-code'), order, BY_DEFAULT);
    const settings = parse(readFileSync(path, 'utf8'));
    const mine = { type: 'command', command: 'mine' };
    settings.hooks.PreToolUse[1].hooks.unshift(mine);
    settings.hooks.SessionEnd.push({ hooks: [mine] });
    writeFileSync(path, JSON.stringify(settings, null, 2));
    expect(connect(agentNamed('claude-code'), order, BY_DEFAULT)).toEqual([]);
    disconnect(agentNamed('claude-code'), order, false);
    const { hooks } = JSON.parse(readFileSync(path, 'utf8'));
    expect(hooks.PreToolUse[1]).toEqual({ matcher: '*', hooks: [mine] });
    expect(hooks.SessionEnd).toEqual([{ hooks: [mine] }]);
    expect(Object.keys(hooks)).toEqual(['PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd']);
  });

  it('lose our part also when Kimi has saved them, and with that all comments', () => {
    const order = orderIn();
    const path = fileOf('kimi', order);
    connect(agentNamed('kimi'), order, BY_DEFAULT);
    const saved = readFileSync(path, 'utf8').replace(/^#.*\n/gm, '');
    writeFileSync(
      path,
      `default_model = "kimi-k2"\n\n${saved}\n[[hooks]]\nevent = "Stop"\ncommand = "mine"\n`,
    );
    disconnect(agentNamed('kimi'), order, false);
    expect(readFileSync(path, 'utf8')).toBe(
      'default_model = "kimi-k2"\n\n[[hooks]]\nevent = "Stop"\ncommand = "mine"\n',
    );
  });
});

describe('an agent without settings', () => {
  it.each(installableHosts.map(({ name }) => name))(
    'gets some, and has none again when %s is disconnected',
    (name) => {
      const order = orderIn();
      const agent = agentNamed(name);
      connect(agent, order, { rules: true, dryRun: false });
      expect(existsSync(fileOf(name, order))).toBe(true);
      expect(connect(agent, order, { rules: true, dryRun: false })).toEqual([]);
      disconnect(agent, order, false);
      expect(readdirSync(order.at.home)).toEqual([]);
    },
  );
});

describe('a folder that was there before, with nothing in it', () => {
  it.each(['claude-code', 'cline', 'opencode'])(
    'stays when %s is disconnected, and what others put there too',
    (name) => {
      const order = orderIn();
      const folder = dirname(fileOf(name, order));
      mkdirSync(folder, { recursive: true });
      for (const others of [[], ['notes.txt']]) {
        connect(agentNamed(name), order, BY_DEFAULT);
        for (const file of others) writeFileSync(join(folder, file), '');
        disconnect(agentNamed(name), order, false);
        expect(readdirSync(folder)).toEqual(others);
      }
    },
  );
});

describe('settings without a word in them', () => {
  it.each(['', '\n', '\uFEFF'])(
    'such as %j count as an empty object, and become what they were',
    (text) => {
      const order = orderIn();
      const path = fileOf('claude-code', order);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      connect(agentNamed('claude-code'), order, BY_DEFAULT);
      expect(parse(readFileSync(path, 'utf8')).hooks).toHaveProperty('PreToolUse');
      disconnect(agentNamed('claude-code'), order, false);
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );
});

describe('settings that cannot be changed', () => {
  it.each([
    ['claude-code', '{ "model": "opus" "hooks": {} }', ':1 is not valid JSON (comma expected)'],
    ['claude-code', '[]', 'does not contain a JSON object'],
    ['claude-code', '{ "hooks": [] }', 'expected "hooks" to map events to lists'],
    [
      'kimi',
      'x = 1\nhooks = [{ event = "Stop", command = "x" }]\n',
      ':2 lists hooks as "hooks = [...]"',
    ],
    ['opencode', 'export const Mine = () => ({});\n', 'was not written by Unrut'],
    ['cline', '#!/bin/sh\n./mine.sh\n', 'was not written by Unrut'],
  ])('of %s, such as %j, are left alone, and said in one line', (name, text, complaint) => {
    const order = orderIn();
    const path = fileOf(name, order);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    expect(() => connect(agentNamed(name), order, BY_DEFAULT)).toThrow(complaint);
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(readdirSync(dirname(path))).toHaveLength(1);
  });
});
