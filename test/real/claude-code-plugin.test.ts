import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { root } from '../../scripts/build.ts';
import { newFolder } from '../ledger-files.ts';
import type { Place } from './agents/agent.ts';
import { claudeCode } from './agents/claude-code.ts';
import { pathWithUnrut } from './global-unrut.ts';
import { heardIn } from './heard-in.ts';
import { INSTALL_TIMEOUT, installAgent, PATH } from './install-agent.ts';
import { runAgent } from './run-agent.ts';
import { sameFailure } from './scripts.ts';

let claude: string;
const home = newFolder();
beforeAll(async () => {
  claude = await installAgent(claudeCode);
}, INSTALL_TIMEOUT);

/** Runs a command of Claude Code's own for plugins. Throws unless it ends well. */
async function plugin(
  { home, url }: Pick<Place, 'home' | 'url'>,
  ...args: string[]
): Promise<string> {
  const env = { PATH, HOME: home, ...claudeCode.environment({ home, project: home, url }) };
  const { stdout } = await promisify(execFile)(claude, ['plugin', ...args], { cwd: home, env });
  return stdout;
}

describe('the plugin of Claude Code', () => {
  it('passes its validator', async () => {
    const folder = join(inject('programs'), 'claude-code-plugin');
    for (const file of ['', '.claude-plugin/plugin.json'])
      expect(await plugin({ home, url: '' }, 'validate', join(folder, file), '--strict')).toContain(
        'Validation passed',
      );
  });

  it('is offered by the repository, which passes the validator too', async () => {
    expect(await plugin({ home, url: '' }, 'validate', root, '--strict')).toContain(
      'Validation passed',
    );
    expect(
      await plugin({ home, url: '' }, 'validate', join(root, 'plugins/claude-code'), '--strict'),
    ).toContain('Validation passed');
  });

  it('does what the hooks in the settings do', async () => {
    const { exchanges, tries } = await runAgent(
      claudeCode,
      sameFailure,
      async (place) => {
        const folder = join(place.home, 'plugin');
        cpSync(join(inject('programs'), 'claude-code-plugin'), folder, { recursive: true });
        await plugin(place, 'marketplace', 'add', folder);
        await plugin(place, 'install', 'unrut@unrut');
      },
      { environment: { PATH: pathWithUnrut() } },
    );
    expect(
      exchanges.flatMap(({ turn, news }) => heardIn(news).map((rung) => `${turn} ${rung}`)),
    ).toEqual(['4 note']);
    expect(tries).toHaveLength(3);
  });
});
