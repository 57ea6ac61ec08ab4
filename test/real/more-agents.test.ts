import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Agent, Place } from './agents/agent.ts';
import { cline } from './agents/cline.ts';
import { codex } from './agents/codex.ts';
import { copilot } from './agents/copilot.ts';
import { factory } from './agents/factory.ts';
import { geminiCli } from './agents/gemini-cli.ts';
import { goose } from './agents/goose.ts';
import { kimi } from './agents/kimi.ts';
import { pi } from './agents/pi.ts';
import { qwenCode } from './agents/qwen-code.ts';
import { HOOK_DAMAGES } from './damages.ts';
import { INSTALL_TIMEOUT, installAgent } from './install-agent.ts';
import { installUnrut, ledgerOf, recordedIn } from './install-unrut.ts';
import { runAgent } from './run-agent.ts';
import { writeFiles } from './run-program.ts';
import { honestWork, insists, looks, noLoop, type ScriptOf } from './scripts.ts';
import { heard, type Insisting } from './test-agent.ts';

/**
 * How agents fare that continue and on. Where their run ends early, they have ended it themselves.
 */
const INSISTING: readonly [agent: Agent, script: ScriptOf, insisting: Omit<Insisting, 'again'>][] =
  [
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
    [
      qwenCode,
      insists,
      {
        heard: ['4 note', '5 hint'],
        tries: 4,
        last: 5,
        seen: /Loop detection halted the run/,
        exitCode: 1,
      },
    ],
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
    [
      cline,
      insists,
      { heard: ['4 note', '5 hint'], tries: 4, last: 5, seen: /sh check\.sh/, exitCode: 0 },
    ],
    // Of a call that fails, Droid tells no hook.
    [
      factory,
      looks,
      {
        heard: ['4 note', '5 hint', '6 block', '7 escalate', '8 block', '9 block'],
        tries: 0,
        last: 9,
        seen: /^/,
        exitCode: 0,
      },
    ],
  ];

describe.each(INSISTING.map(([agent, ...rest]) => [agent.name, agent, ...rest] as const))(
  '%s',
  (_, agent, script, insisting) => {
    it(
      'is warned, hinted, blocked and stopped when it insists, as far as its hooks allow',
      async () => {
        await installAgent(agent);
        const run = await runAgent(agent, script, installUnrut(agent));
        const { seen, exitCode, ...expected } = insisting;
        expect({ heard: heard(run), tries: run.tries.length, last: run.exchanges.length }).toEqual(
          expected,
        );
        expect(run.output.trim()).toMatch(seen);
        expect(run.exitCode).toBe(exitCode);
      },
      INSTALL_TIMEOUT,
    );
  },
);

// It does not wait for the hooks after a call, so the next call may come before the result of the
// last one is known.
it(
  'kimi is refused when it insists, from the fifth try on or a little later',
  async () => {
    await installAgent(kimi);
    const run = await runAgent(kimi, insists, installUnrut(kimi));
    expect(heard(run).every((each) => each.endsWith(' block'))).toBe(true);
    expect(run.tries.length).toBeGreaterThanOrEqual(4);
    expect(heard(run).length).toBeGreaterThan(0);
    expect(run.tries.length + heard(run).length).toBe(9);
    expect(run.exitCode, run.output).toBe(0);
  },
  INSTALL_TIMEOUT,
);

// It obeys only refusals, and reports no results to hooks, so nothing is certain enough to be
// blocked.
it(
  'goose gets no note when it insists, and what would be said is recorded as not performed',
  async () => {
    await installAgent(goose);
    const run = await runAgent(goose, insists, installUnrut(goose));
    expect(
      { heard: heard(run), tries: run.tries.length, exitCode: run.exitCode },
      run.output,
    ).toEqual({
      heard: [],
      tries: 9,
      exitCode: 0,
    });
    const recorded = await recordedIn(run.place);
    const performed = recorded.flatMap(({ data }) =>
      data.type === 'plan-performed' ? [`${data.rung} ${data.failed ? 'failed' : 'done'}`] : [],
    );
    expect(performed).toEqual(['note failed', 'hint failed']);
    expect(recorded.filter(({ kind }) => kind === 'fault')).toEqual([]);
  },
  INSTALL_TIMEOUT,
);

// Codex and Qwen Code show the answer only on their screens.
it.each([codex, geminiCli, qwenCode, pi].map((agent) => [agent.name, agent] as const))(
  '%s lets Unrut answer what is typed for it, and the model is not asked',
  async (name, agent) => {
    await installAgent(agent);
    const asking: Agent = { ...agent, args: () => agent.args('unrut off') };
    const run = await runAgent(asking, insists, installUnrut(agent));
    expect(run.exchanges, run.output).toEqual([]);
    expect(run.output).toContain(
      name === 'codex'
        ? 'UserPromptSubmit Blocked'
        : name === 'qwen-code'
          ? ''
          : 'Unrut is off for this session',
    );
    expect(readFileSync(join(dirname(ledgerOf(run.place)), 'said.json'), 'utf8')).toContain(
      'session',
    );
  },
  INSTALL_TIMEOUT,
);

describe.each(
  [pi, qwenCode, kimi, copilot, cline, factory, goose].map((agent) => [agent.name, agent] as const),
)('%s', (_, agent) => {
  it(
    'gets no note when it works a day that gets on',
    async () => {
      await installAgent(agent);
      const run = await runAgent(agent, honestWork, installUnrut(agent));
      expect(heard(run)).toEqual([]);
      expect(run.exchanges.at(-1)?.reply.text, run.output).toBe('Done.');
      const recorded = await recordedIn(run.place);
      // goose does not report the result of a poll: the fourth look gets a note, which nobody
      // reads.
      const planned = recorded.flatMap(({ kind, data }) =>
        kind === 'plan' || kind === 'fault' ? [data.rung ?? data.message] : [],
      );
      expect(planned).toEqual(agent === goose ? ['note'] : []);
      expect(recorded.filter(({ kind }) => kind === 'event').length).toBeGreaterThan(
        run.exchanges.length,
      );
    },
    INSTALL_TIMEOUT,
  );

  it('works on when Unrut has been removed', async () => {
    const run = await runAgent(agent, noLoop, async (place) => {
      await installUnrut(agent)(place);
      await HOOK_DAMAGES['has been removed']!(place);
    });
    expect(run.exchanges.at(-1)?.reply.text, run.output).toBe('Done.');
    expect(run.tries).toEqual(['check', 'check', 'check', 'lint']);
  });
});

describe('pi that an extension sends back to work', () => {
  /** An extension of the user that is never content. */
  const again = `export default (pi) => {
    let times = 0;
    const content = 'The goal is not reached yet.';
    const entries = [{ type: 'custom_message', customType: 'goal', content, display: true }];
    pi.on('agent_before_settle', async () => times++ < 6 ? { entries, continue: true } : undefined);
  };`;
  const withExtension = async (place: Place): Promise<void> => {
    writeFiles(place.home, { '.pi/agent/extensions/again.js': again });
    await installUnrut(pi)(place);
  };
  const ends =
    (works: boolean): ScriptOf =>
    ({ tools }) => {
      let replies = 0;
      return () => {
        replies++;
        return works && replies % 2 === 1
          ? { calls: [tools.shell(`echo ${replies * 37} > part-${replies}.txt`)] }
          : { text: 'Nothing actionable on my end.' };
      };
    };

  it('and has nothing to do is stopped at the fifth turn', async () => {
    await installAgent(pi);
    const run = await runAgent(pi, ends(false), withExtension);
    expect(run.exchanges, run.output).toHaveLength(5);
    expect(run.output).toContain('Unrut stopped the run: 5 turns in a row ended');
  });

  it('and works in each turn is not', async () => {
    const run = await runAgent(pi, ends(true), withExtension);
    expect(run.exchanges, run.output).toHaveLength(14);
    expect(run.output).not.toContain('Unrut');
  });
});
