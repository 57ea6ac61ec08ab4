import { execFile } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, it } from 'vitest';
import { geminiCli } from './agents/gemini-cli.ts';
import { pathWithUnrut } from './global-unrut.ts';
import { installAgent, PATH } from './install-agent.ts';
import { installUnrut } from './install-unrut.ts';
import { runAgent } from './run-agent.ts';
import { insists, sameFailure } from './scripts.ts';
import { heard, testAgent } from './test-agent.ts';

testAgent(geminiCli, {
  heard: ['4 note', '5 hint', '6 block', '7 escalate', '8 block', '9 report'],
  tries: 6,
  last: 9,
  seen: /Agent execution stopped: Unrut stopped the run: `sh check\.sh` failed \d times/,
  exitCode: 0,
  again: '5 block',
});

it('Gemini CLI takes Unrut as an extension, which passes its validator', async () => {
  const gemini = await installAgent(geminiCli);
  const run = await runAgent(
    geminiCli,
    sameFailure,
    async (place) => {
      const folder = join(place.home, 'extension');
      cpSync(join(inject('programs'), 'gemini-cli-extension'), folder, { recursive: true });
      const env = { PATH, HOME: place.home, ...geminiCli.environment(place) };
      const extensions = async (...args: string[]) =>
        Object.values(
          await promisify(execFile)(gemini, ['extensions', ...args], { cwd: place.home, env }),
        ).join('');
      expect(await extensions('validate', folder)).toContain('successfully validated');
      await extensions('install', folder, '--consent');
    },
    { environment: { PATH: pathWithUnrut() } },
  );
  expect(heard(run)).toEqual(['4 note']);
});

it('Gemini CLI is warned before its own loop detection ends the run', async () => {
  const run = await runAgent(geminiCli, insists, async (place) => {
    const settings = join(place.home, '.gemini/settings.json');
    writeFileSync(
      settings,
      readFileSync(settings, 'utf8').replace(
        '"disableLoopDetection": true',
        '"disableLoopDetection": false',
      ),
    );
    await installUnrut(geminiCli)(place);
  });
  expect(heard(run)).toEqual(['4 note', '5 hint']);
});
