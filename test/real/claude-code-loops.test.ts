import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Place } from './agents/agent.ts';
import { claudeCode } from './agents/claude-code.ts';
import { installUnrut } from './install-unrut.ts';
import { NESTED } from './model/model.ts';
import { type Run, runAgent } from './run-agent.ts';
import type { ScriptOf } from './scripts.ts';

const readIn = ({ exchanges }: Run): string =>
  exchanges.map(({ news }) => news.join('\n')).join('\n');

describe('Claude Code that starts agents in the background', () => {
  /** Starts this many in each response. All of them are still at work when the last is started. */
  const starts =
    (...rounds: number[]): ScriptOf =>
    ({ tools }) =>
    (turn, { nested }) => {
      if (nested) return { text: 'Nothing was found.', takes: 10 };
      const count = rounds[turn - 1];
      if (count === undefined) return { text: 'Done.' };
      const calls = Array.from({ length: count }, (_, i) => {
        const [agent] = tools.delegate(`Look at part ${turn}-${i} ${NESTED}.`);
        return { ...agent!, args: { ...(agent!.args as object), run_in_background: true } };
      });
      return { calls };
    };

  it('in a storm is warned, and starts no more than 30', async () => {
    const run = await runAgent(claudeCode, starts(22, 12, 4), installUnrut(claudeCode));
    const read = readIn(run);
    expect(read).toContain('agents were started within a minute');
    expect(read).toContain('Unrut (loop guard) did not start this agent: 30 agents were started');
    const tasks = run.exchanges.filter(({ news }) =>
      news.some((text) => /Look at part \d+-\d+ on behalf/.test(text)),
    );
    expect(tasks.length).toBeLessThanOrEqual(31);
    expect(run.output).toContain('Done.');
  });

  it('reads nothing of it with ten that search in parallel', async () => {
    const run = await runAgent(claudeCode, starts(10), installUnrut(claudeCode));
    expect(readIn(run)).not.toContain('Unrut');
    expect(run.output).toContain('Done.');
  });
});

describe('Claude Code that a Stop hook sends back to work', () => {
  /** A hook of the project that is content only after six times. */
  const withStopHook = async (place: Place): Promise<void> => {
    const again = `printf x >> ../stops; [ $(wc -c < ../stops) -gt 6 ] || printf '{"decision":"block","reason":"The goal is not reached yet."}'`;
    mkdirSync(join(place.project, '.claude'), { recursive: true });
    writeFileSync(
      join(place.project, '.claude/settings.json'),
      JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: again }] }] } }),
    );
    await installUnrut(claudeCode)(place);
  };
  /** Ends each turn with the same words; `works`: after it has written something. */
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
    const run = await runAgent(claudeCode, ends(false), withStopHook);
    expect(run.exchanges).toHaveLength(5);
    expect(run.output).toContain(
      'Unrut stopped the run: 5 turns in a row ended with the same message (the last: "Nothing actionable on my end."), and nothing was done in between.',
    );
  });

  it('and waits for a task in the background is not', async () => {
    const waits: ScriptOf =
      ({ tools }) =>
      (turn) => {
        const sleeps = tools.shell('sleep 8');
        return turn === 1
          ? {
              calls: [{ ...sleeps, args: { ...(sleeps.args as object), run_in_background: true } }],
            }
          : { text: 'Nothing actionable on my end.' };
      };
    const run = await runAgent(claudeCode, waits, withStopHook);
    expect(run.exchanges.length).toBeGreaterThan(6);
    expect(run.output).not.toContain('Unrut');
  });

  it('and works in each turn is not', async () => {
    const run = await runAgent(claudeCode, ends(true), withStopHook);
    expect(run.exchanges).toHaveLength(14);
    expect(run.output).not.toContain('Unrut');
  });
});

describe('Claude Code whose context is compacted again and again', () => {
  const SUMMARY = 'Your task is to create a detailed summary';
  /** More than any window holds, so that Claude Code compacts before the next request. */
  const FULL = 990_000;

  /** Reads three files in each lap, and then does something else if `works`. */
  const laps =
    (works: boolean): ScriptOf =>
    ({ tools }, { project }) => {
      let step = 0;
      return (_, { news }) => {
        if (news.some((text) => text.includes(SUMMARY)))
          return { text: '<summary>Three files were looked at.</summary>' };
        const [lap, place] = [Math.floor(step / 4), step++ % 4];
        if (lap === 6) return { text: 'Done.' };
        const file = ['sum.txt', 'check.sh', 'test.sh'][place];
        if (file !== undefined) return { calls: [tools.read(join(project, file))] };
        const command = works ? `echo ${lap * 91} > part-${lap}.txt` : 'true';
        return { calls: [tools.shell(command)], tokens: FULL };
      };
    };

  it('reads what it did, and that it makes no progress', async () => {
    const read = readIn(await runAgent(claudeCode, laps(false), installUnrut(claudeCode)));
    expect(read).toContain(SUMMARY);
    expect(read).toMatch(
      /Unrut \(loop guard\): your context was compacted\. What your calls have done, newest first\..*Continue from here\./,
    );
    expect(read).toMatch(/the context was compacted \d times without a lasting change in between/);
  });

  it('gets no such note if each lap leaves something', async () => {
    const read = readIn(await runAgent(claudeCode, laps(true), installUnrut(claudeCode)));
    expect(read).toContain(SUMMARY);
    expect(read).not.toContain('without a lasting change');
  });
});
