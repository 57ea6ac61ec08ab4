import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { agentNamed, fileOf, orderIn } from '../../test/install/place.ts';
import { connect } from './connect.ts';

interface Settings {
  hooks: Record<string, { matcher?: string; hooks: { timeout: number }[] }[]>;
}

const eventsOf = ({ hooks }: Settings) =>
  Object.entries(hooks).map(([event, groups]) => [event, ...groups.map(({ matcher, hooks: [handler] }) => [matcher, handler!.timeout])]);

describe('the plugin of Claude Code', () => {
  it('is called at the same events as what is installed', () => {
    const order = orderIn();
    connect(agentNamed('claude-code'), order, { rules: false, dryRun: false });
    const installed = JSON.parse(readFileSync(fileOf('claude-code', order), 'utf8')) as Settings;
    const plugin = JSON.parse(readFileSync('plugins/claude-code/hooks/hooks.json', 'utf8')) as Settings;
    expect(eventsOf(plugin)).toEqual(eventsOf(installed));
  });
});
