import { posix, win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Order, Scope } from '../settings-files/order.ts';
import { installableHosts } from './index.ts';

const MACHINES = {
  linux: {
    home: '/home/dev',
    project: '/home/dev/my app',
    node: '/usr/bin/node',
    kept: '/home/dev/.local/state/unrut',
  },
  darwin: {
    home: '/Users/dev',
    project: '/Users/dev/my app',
    node: '/opt/homebrew/bin/node',
    kept: '/Users/dev/Library/Application Support/unrut',
  },
  win32: {
    home: 'C:\\Users\\dev',
    project: 'C:\\Users\\dev\\my app',
    node: 'C:\\Program Files\\nodejs\\node.exe',
    kept: 'C:\\Users\\dev\\AppData\\Local\\unrut',
  },
} as const;
type Platform = keyof typeof MACHINES;

function orderOn(platform: Platform, scope: Scope): Order {
  const { home, project, node, kept } = MACHINES[platform];
  const { join } = platform === 'win32' ? win32 : posix;
  const call = {
    node,
    hook: join(kept, 'hook.cjs'),
    plugin: join(kept, 'agent-plugins.mjs'),
    shadow: false,
  };
  return { scope, at: { home, project, variables: {}, platform }, call };
}

const CASES = (Object.keys(MACHINES) as Platform[]).flatMap((platform) =>
  installableHosts.flatMap((host) =>
    (['user', 'project'] as const)
      .filter((scope) => scope === 'user' || !host.install.userOnly)
      .map((scope) => ({ platform, scope, name: host.name, host })),
  ),
);

describe.each(CASES)('$name on $platform, for the $scope', ({ platform, scope, host }) => {
  const order = orderOn(platform, scope);
  const edits = host.install.edits(order);
  const texts = edits.map((edit) => edit.add(undefined));

  it('has its files where that platform keeps them', () => {
    const { isAbsolute } = platform === 'win32' ? win32 : posix;
    const root = scope === 'user' ? order.at.home : order.at.project;
    for (const { path } of edits) {
      expect(isAbsolute(path) && path.startsWith(root), path).toBe(true);
      expect(path.includes(platform === 'win32' ? '/' : '\\'), path).toBe(false);
    }
  });

  it('is recognised in the written files, and in no other file', () => {
    for (const [i, edit] of edits.entries()) expect(edit.remove(texts[i]!)).toBeUndefined();
  });

  it('names the hook of a person by its whole path in quotes, and that of a project by none', () => {
    const text = texts[0]!.replaceAll('\\\\', '\\');
    const { kept } = MACHINES[platform];
    if (scope === 'project') expect(text).not.toContain(kept);
    else expect(text.replaceAll('/', '\\')).toContain(kept.replaceAll('/', '\\'));
  });
});

describe('a command ends well where Node or the hook is gone', () => {
  const users = CASES.filter(({ scope }) => scope === 'user');
  const guarded = /\[ -f |Test-Path -LiteralPath|if exist /;
  /**
   * Hosts whose hooks are bare commands or files with their own error handling; a failing hook does
   * not block there.
   */
  const PLUGINS: readonly string[] = ['opencode', 'pi', 'amp', 'openclaw', 'hermes'];
  const BARE = ['claude-code on win32', 'cursor on win32', 'cline on win32'];

  it.each(users.filter(({ name }) => !PLUGINS.includes(name)))(
    '$name on $platform',
    ({ platform, name, host }) => {
      const text = host.install.edits(orderOn(platform, 'user'))[0]!.add(undefined);
      expect(guarded.test(text)).toBe(!BARE.includes(`${name} on ${platform}`));
    },
  );
});
