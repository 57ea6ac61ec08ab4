import { spawnSync } from 'node:child_process';
import { installableHosts } from '@unrut/agents/hosts';
import { commandLine } from '@unrut/agents/settings-files/hook-command';
import { callsOurHook, isOurHandler } from '@unrut/agents/settings-files/our-handler';
import { describe, expect, it } from 'vitest';
import { agentNamed, orderIn } from './place.ts';

describe('a command line', () => {
  it.each([
    [['/usr/bin/node', '/opt/unrut/hook.cjs']],
    [['/usr/bin/env', "/home/dev/it's mine/hook.cjs"]],
    [['/usr/bin/env', '/home/dev/$HOME `x` "y" \\z/hook.cjs']],
  ])('of %j is taken apart again by a shell', (words) => {
    const line = commandLine(words, 'posix').replace(words[0]!, 'printf %s\\\\n');
    expect(spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8' }).stdout).toBe(`${words[1]}\n`);
  });

  it.each([
    ['posix', "'C:/Program Files/nodejs/node.exe' C:/unrut/hook.cjs"],
    ['powershell', "& 'C:\\Program Files\\nodejs\\node.exe' 'C:\\unrut\\hook.cjs'"],
    ['cmd', '"C:\\Program Files\\nodejs\\node.exe" "C:\\unrut\\hook.cjs"'],
  ] as const)('for %s on Windows has its quotes', (shell, line) => {
    expect(commandLine(['C:\\Program Files\\nodejs\\node.exe', 'C:\\unrut\\hook.cjs'], shell)).toBe(
      line,
    );
  });
});

describe('on Windows', () => {
  const files = {
    node: 'C:\\Program Files\\nodejs\\node.exe',
    hook: 'C:\\unrut\\hook.cjs',
    plugin: 'C:\\unrut\\agent-plugins.js',
  };
  const written = (name: string): string => {
    const order = orderIn('user', files);
    return agentNamed(name)
      .install.edits({
        ...order,
        at: { ...order.at, home: 'C:\\Users\\dev', platform: 'win32' },
      })[0]!
      .add(undefined);
  };

  it.each([
    [
      'claude-code',
      ['"command": "C:\\\\Program Files\\\\nodejs\\\\node.exe"', '"C:\\\\unrut\\\\hook.cjs"'],
    ],
    [
      'gemini-cli',
      [
        "{ & 'C:\\\\Program Files\\\\nodejs\\\\node.exe' 'C:\\\\unrut\\\\hook.cjs' --for gemini-cli; exit $LASTEXITCODE }\"",
      ],
    ],
    [
      'codex',
      [
        'if exist \\"C:\\\\unrut\\\\hook.cjs\\" \\"C:\\\\Program Files\\\\nodejs\\\\node.exe\\" \\"C:\\\\unrut\\\\hook.cjs\\" --for codex"',
      ],
    ],
    ['crush', ["'C:/Program Files/nodejs/node.exe' C:/unrut/hook.cjs --for crush"]],
    ['cursor', ['"command": "node \\"C:\\\\unrut\\\\hook.cjs\\" --for cursor"']],
    [
      'cline',
      ["$input | & 'C:\\Program Files\\nodejs\\node.exe' 'C:\\unrut\\hook.cjs' --for cline"],
    ],
  ])('%s starts the hook in the syntax of its shell', (name, parts) => {
    for (const part of parts) expect(written(name)).toContain(part);
  });

  it.each(installableHosts.map(({ name }) => name))('the part of %s is known again', (name) => {
    const order = orderIn('user', files);
    const edit = agentNamed(name).install.edits({
      ...order,
      at: { ...order.at, platform: 'win32' },
    })[0]!;
    expect(edit.remove(written(name))).toBeUndefined();
  });
});

describe('a handler', () => {
  it.each([
    [{ type: 'command', command: "/usr/bin/node '/a b/hook.cjs' --for codex" }, true],
    [{ type: 'command', command: 'node', args: ['/x/hook.cjs', '--for', 'claude-code'] }, true],
    [{ type: 'http', url: 'http://127.0.0.1:4717/v1/hooks/qwen-code?shadow=1' }, true],
    [{ type: 'command', command: '~/.claude/hooks/hook.cjs --strict' }, false],
    [{ type: 'command', command: 'hook.cjs', args: ['--for'] }, false],
    [{ type: 'http', url: 'https://hooks.example.com/v1/stop' }, false],
    [{ args: [1, null] }, false],
    ['hook.cjs --for codex', false],
    [null, false],
  ])('%j is ours: %j', (handler, ours) => {
    expect(isOurHandler(handler)).toBe(ours);
  });

  it('is not ours for a text that only speaks of it', () => {
    expect(callsOurHook('see https://example.com/docs/v1/hooks')).toBe(false);
  });
});
