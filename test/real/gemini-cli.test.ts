import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { geminiCli } from './agents/gemini-cli.ts';
import { installUnrut } from './install-unrut.ts';
import { runAgent } from './run-agent.ts';
import { insists } from './scripts.ts';
import { heard, testAgent } from './test-agent.ts';

testAgent(geminiCli, {
  heard: ['4 note', '5 hint', '6 escalate', '8 report'],
  tries: 8,
  last: 8,
  seen: /Agent execution stopped: Unrut stopped the run: `sh check\.sh` failed \d times/,
  exitCode: 0,
  again: '4 hint',
});

it('Gemini CLI is told before its own loop detection ends the run', async () => {
  const run = await runAgent(geminiCli, insists, async (place) => {
    const settings = join(place.home, '.gemini/settings.json');
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('"disableLoopDetection": true', '"disableLoopDetection": false'));
    await installUnrut(geminiCli)(place);
  });
  expect(heard(run)).toEqual(['4 note', '5 hint']);
});
