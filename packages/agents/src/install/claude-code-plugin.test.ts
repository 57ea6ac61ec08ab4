import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agentNamed, fileOf, orderIn } from '@unrut/test/install/place';
import { describe, expect, it } from 'vitest';
import { PLUGINS } from '../../../../scripts/assemble-plugin.ts';
import { connect, disconnect } from './connect.ts';

interface Settings {
  hooks: Record<string, { matcher?: string; hooks: { timeout: number }[] }[]>;
}

const eventsOf = ({ hooks }: Settings) =>
  Object.entries(hooks).map(([event, groups]) => [
    event,
    ...groups.map(({ matcher, hooks: [handler] }) => [matcher, handler!.timeout]),
  ]);

describe('the plugin of Claude Code', () => {
  it('is called at the same events as what is installed', () => {
    const order = orderIn();
    connect(agentNamed('claude-code'), order, { rules: false, dryRun: false });
    const installed = JSON.parse(readFileSync(fileOf('claude-code', order), 'utf8')) as Settings;
    const plugin = JSON.parse(
      readFileSync('plugins/claude-code/hooks/hooks.json', 'utf8'),
    ) as Settings;
    expect(eventsOf(plugin)).toEqual(eventsOf(installed));
  });
});

it.each(Object.entries(PLUGINS))('%s has the version of the package', (_, { source, manifest }) => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(JSON.parse(readFileSync(join(source, manifest), 'utf8'))).toMatchObject({
    name: 'unrut',
    version,
  });
});

it('the extension of Gemini CLI is called at the same events as what is installed', () => {
  const order = orderIn();
  connect(agentNamed('gemini-cli'), order, { rules: false, dryRun: false });
  const installed = JSON.parse(readFileSync(fileOf('gemini-cli', order), 'utf8')) as Settings;
  expect(
    eventsOf(JSON.parse(readFileSync('plugins/gemini-cli/hooks/hooks.json', 'utf8')) as Settings),
  ).toEqual(eventsOf(installed));
});

it('the plugin has the slash command that install writes', () => {
  const order = orderIn();
  connect(agentNamed('claude-code'), order, { rules: false, dryRun: false });
  const installed = readFileSync(join(order.at.home, '.claude', 'commands', 'unrut.md'), 'utf8');
  expect(readFileSync('plugins/claude-code/commands/unrut.md', 'utf8')).toBe(
    installed.replace(/^# Written by .*\n/m, ''),
  );
});

it('the status line of somebody else stays, and ours goes with the rest', () => {
  for (const before of ['{}\n', '{ "statusLine": { "type": "command", "command": "mine" } }\n']) {
    const order = orderIn('user', { statusLine: true });
    const path = fileOf('claude-code', order);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, before);
    connect(agentNamed('claude-code'), order, { rules: false, dryRun: false });
    const { statusLine } = JSON.parse(readFileSync(path, 'utf8')) as {
      statusLine: { command: string };
    };
    expect(statusLine.command).toMatch(
      before.includes('mine') ? /^mine$/ : /hook\.cjs' --for claude-code --statusline$/,
    );
    disconnect(agentNamed('claude-code'), order, false);
    expect(readFileSync(path, 'utf8')).toBe(before);
  }
});
