import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scan } from '@unrut/logs/scan/scan';
import { beforeAll, describe, expect, it } from 'vitest';
import { openclaw } from './agents/openclaw.ts';
import { INSTALL_TIMEOUT, installAgent } from './install-agent.ts';
import { installUnrut, recordedIn, unrut } from './install-unrut.ts';
import { newPlace, runAgent } from './run-agent.ts';
import { writeFiles } from './run-program.ts';
import { heedsAfter, honestWork, insists } from './scripts.ts';
import { heard } from './test-agent.ts';

beforeAll(() => installAgent(openclaw), INSTALL_TIMEOUT);

describe(`OpenClaw ${openclaw.version}`, () => {
  it('is warned, hinted and blocked when it insists', async () => {
    const run = await runAgent(openclaw, insists, installUnrut(openclaw));
    expect(heard(run)).toEqual([
      '4 note',
      '5 hint',
      '6 block',
      '7 escalate',
      '8 block',
      '9 block',
      '10 block',
    ]);
    expect(run.tries).toHaveLength(5);
    expect(run.output).toContain('Unrut blocked `sh check.sh`');
    expect(run.exitCode, run.output).toBe(0);
  });

  it('is out of the loop when it heeds the second word', async () => {
    const run = await runAgent(openclaw, heedsAfter(2), installUnrut(openclaw));
    expect(heard(run)).toEqual(['4 note', '5 hint']);
    expect(run.exchanges.at(-1)?.reply.text).toBe('Done.');
    expect(run.exitCode, run.output).toBe(0);
  });

  it('is read from its database as it was guarded', async () => {
    const run = await runAgent(openclaw, insists, installUnrut(openclaw));
    const file = join(run.place.home, '.openclaw/agents/main/agent/openclaw-agent.sqlite');
    const { trajectories } = await scan({ paths: [file] });
    expect(trajectories.map(({ format, loops }) => [format, loops.length])).toEqual([
      ['openclaw', 1],
    ]);
    expect(trajectories[0]!.did?.map(({ rung }) => rung)).toContain('block');
  });

  it('is as it was, to the byte, when Unrut is uninstalled', async () => {
    const place = newPlace('openclaw');
    writeFiles(place.home, openclaw.settings(place));
    const config = join(place.home, '.openclaw/openclaw.json');
    const before = readFileSync(config, 'utf8');
    await installUnrut(openclaw)(place);
    expect(readFileSync(config, 'utf8')).toContain('"unrut"');
    await unrut(place, 'uninstall', 'openclaw');
    expect(readFileSync(config, 'utf8')).toBe(before);
    expect(existsSync(join(place.home, '.openclaw/extensions/unrut/index.js'))).toBe(false);
  });

  it('gets no note when it works a day that gets on', async () => {
    const run = await runAgent(openclaw, honestWork, installUnrut(openclaw));
    expect(heard(run)).toEqual([]);
    expect(run.exchanges.at(-1)?.reply.text).toBe('Done.');
    expect(
      (await recordedIn(run.place)).filter(({ kind }) => kind === 'plan' || kind === 'fault'),
    ).toEqual([]);
  });
});
