import { describe, expect, it } from 'vitest';
import type { Agent } from './agents/agent.ts';
import { cline } from './agents/cline.ts';
import { copilot } from './agents/copilot.ts';
import { factory } from './agents/factory.ts';
import { kimi } from './agents/kimi.ts';
import { pi } from './agents/pi.ts';
import { qwenCode } from './agents/qwen-code.ts';
import { HOOK_DAMAGES } from './damages.ts';
import { INSTALL_TIMEOUT, installAgent } from './install-agent.ts';
import { installUnrut, recordedIn } from './install-unrut.ts';
import { runAgent } from './run-agent.ts';
import { honestWork, insists, looks, type ScriptOf } from './scripts.ts';
import { heard, type Insisting } from './test-agent.ts';

/** How agents fare that go on and on. Where their run ends early, they have ended it themselves. */
const INSISTING: readonly [agent: Agent, script: ScriptOf, insisting: Insisting][] = [
  [
    pi,
    insists,
    {
      heard: ['4 note', '5 hint', '6 block', '7 escalate', '8 block', '9 report'],
      tries: 6,
      last: 9,
      seen: /Unrut stopped the run: `sh check\.sh` failed \d times/,
      exitCode: 1,
    },
  ],
  [qwenCode, insists, { heard: ['4 note', '5 hint'], tries: 4, last: 5, seen: /Loop detection halted the run/, exitCode: 1 }],
  [
    copilot,
    insists,
    {
      heard: ['4 note', '5 hint', '6 block', '7 block', '8 block', '9 block', '10 block'],
      tries: 4,
      last: 10,
      seen: /Unrut \(loop guard\): `sh check\.sh` failed 3 times/,
      exitCode: 0,
    },
  ],
  [cline, insists, { heard: ['4 note', '5 hint'], tries: 4, last: 5, seen: /sh check\.sh/, exitCode: 0 }],
  // Of a call that fails, Droid tells no hook.
  [
    factory,
    looks,
    { heard: ['4 note', '5 hint', '6 block', '7 escalate', '8 block', '9 block'], tries: 0, last: 9, seen: /^/, exitCode: 0 },
  ],
];

describe.each(INSISTING.map(([agent, ...rest]) => [agent.name, agent, ...rest] as const))('%s', (_, agent, script, insisting) => {
  it(
    'is told, helped, refused and stopped, as far as it lets itself, when it insists',
    async () => {
      await installAgent(agent);
      const run = await runAgent(agent, script, installUnrut(agent));
      const { seen, exitCode, ...expected } = insisting;
      expect({ heard: heard(run), tries: run.tries.length, last: run.exchanges.length }).toEqual(expected);
      expect(run.output.trim()).toMatch(seen);
      expect(run.exitCode).toBe(exitCode);
    },
    INSTALL_TIMEOUT,
  );
});

// It does not wait for the hooks after a call, so that the next call may come before it is known what the last one brought.
it(
  'kimi is refused when it insists, from the fifth or the sixth try on',
  async () => {
    await installAgent(kimi);
    const run = await runAgent(kimi, insists, installUnrut(kimi));
    expect(heard(run).every((each) => each.endsWith(' block'))).toBe(true);
    expect([4, 5]).toContain(run.tries.length);
    expect(run.tries.length + heard(run).length).toBe(9);
    expect(run.exitCode, run.output).toBe(0);
  },
  INSTALL_TIMEOUT,
);

describe.each([pi, qwenCode, kimi, copilot, cline, factory].map((agent) => [agent.name, agent] as const))('%s', (_, agent) => {
  it(
    'hears nothing when it works a day that gets on',
    async () => {
      await installAgent(agent);
      const run = await runAgent(agent, honestWork, installUnrut(agent));
      expect(heard(run)).toEqual([]);
      expect(run.exchanges.at(-1)?.reply.text, run.output).toBe('Done.');
      const recorded = await recordedIn(run.place);
      expect(recorded.filter(({ kind }) => kind === 'plan' || kind === 'fault')).toEqual([]);
      expect(recorded.filter(({ kind }) => kind === 'event').length).toBeGreaterThan(run.exchanges.length);
    },
    INSTALL_TIMEOUT,
  );

  it('works on when Unrut has been removed', async () => {
    const run = await runAgent(agent, honestWork, async (place) => {
      await installUnrut(agent)(place);
      await HOOK_DAMAGES['has been removed']!(place);
    });
    expect(run.exchanges.at(-1)?.reply.text, run.output).toBe('Done.');
    expect(run.tries.filter((name) => name === 'test')).toHaveLength(3);
  });
});
