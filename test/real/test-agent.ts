import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from './agents/agent.ts';
import { type Damages, HOOK_DAMAGES } from './damages.ts';
import { heardIn } from './heard-in.ts';
import { INSTALL_TIMEOUT, installAgent } from './install-agent.ts';
import { installUnrut, recordedIn } from './install-unrut.ts';
import { type Run, runAgent } from './run-agent.ts';
import {
  GO_ON,
  heedsAfter,
  honestWork,
  insists,
  insistsTwice,
  nestedWork,
  type ScriptOf,
  threeLoops,
  toAndFro,
} from './scripts.ts';

/** What an agent reads that goes on and on, and how often its command really runs. */
export interface Insisting {
  heard: string[];
  tries: number;
  /** The number of its last request: after that the run was ended, or the model gave up. */
  last: number;
  /** What a person sees, up to its end. */
  seen: RegExp;
  exitCode: number;
  /** What it reads first after the user has said to continue: two rungs below its last. */
  again: string;
}

/** The texts of Unrut, each with the request that carried it. */
export const heard = ({ exchanges }: Run): string[] =>
  exchanges.flatMap(({ turn, news, nested }) =>
    heardIn(news).map((rung) => `${nested ? 'nested ' : ''}${turn} ${rung}`),
  );

/** Numbers, ids and hashes. */
const VOLATILE = /\b[\da-f]{6}\b|[\da-f-]*\d[\da-f-]*/g;

/** All that the model saw and all that ran, without what differs in every run. */
export const shape = ({ exchanges, tries, exitCode, place }: Run): unknown => ({
  exchanges: exchanges.map(({ news }) =>
    news.map((text) => text.replaceAll(join(place.home, '..'), '').replace(VOLATILE, '#')),
  ),
  tries,
  exitCode,
});

/** Runs a real agent with Unrut, damaged in these ways, and without. */
export function testAgent(
  agent: Agent,
  insisting: Insisting,
  damages: Damages = HOOK_DAMAGES,
): void {
  beforeAll(() => installAgent(agent), INSTALL_TIMEOUT);

  describe(`${agent.name} ${agent.version}`, () => {
    it('is told when it patches a file again and again, makes the same calls in parallel, and has a nested agent that loops', async () => {
      const run = await runAgent(agent, threeLoops, installUnrut(agent));
      expect(heard(run)).toEqual(['5 note', '8 note', 'nested 4 note']);
      expect(run.tries).toHaveLength(4 + 3);
      expect(run.exitCode, run.output).toBe(0);
    });

    it('is told the surest of what is true when it edits to and fro between checks', async () => {
      const run = await runAgent(agent, toAndFro, installUnrut(agent));
      const said = run.exchanges
        .flatMap(({ news }) => news.filter((text) => text.includes('Unrut')))
        .join('\n');
      expect(said).toContain('an earlier version of');
      expect(said).not.toContain('consecutive edit');
    });

    // Had nothing changed, the call would be refused from the third word on.
    it('is out of the loop when it heeds the second word: what it mended is run, and it hears no more', async () => {
      const run = await runAgent(agent, heedsAfter(2), installUnrut(agent));
      expect(heard(run)).toEqual(['4 note', '5 hint']);
      expect(run.tries).toHaveLength(2 + 2 + 1);
      expect(run.exchanges.at(-1)?.news.join('\n')).toContain('3 passed');
      expect(run.exchanges.at(-1)?.reply.text).toBe('Done.');
      expect(run.exitCode, run.output).toBe(0);
      const outcomes = (await recordedIn(run.place))
        .filter(({ kind }) => kind === 'outcome')
        .map(({ data }) => data.outcome);
      expect(outcomes).toContain('recovered');
    });

    it('is told, helped, refused and stopped, as far as it lets itself, when it insists', async () => {
      const run = await runAgent(agent, insists, installUnrut(agent));
      const { seen, exitCode, again: _, ...expected } = insisting;
      expect({ heard: heard(run), tries: run.tries.length, last: run.exchanges.length }).toEqual(
        expected,
      );
      expect(run.output.trimEnd()).toMatch(seen);
      expect(run.exitCode).toBe(exitCode);
    });

    it('is told again, two rungs below, when a person has looked and it goes on', async () => {
      const run = await runAgent(agent, insistsTwice, installUnrut(agent), {
        answer: GO_ON,
        environment: { UNRUT_ATTENDED: 'true' },
      });
      const [before, after] = [
        run.exchanges.slice(0, run.before),
        run.exchanges.slice(run.before),
      ].map((part) =>
        part.flatMap(({ news }, i) => heardIn(news).map((rung) => `${i + 1} ${rung}`)),
      );
      // Somebody is there: nobody is asked for a last report.
      expect(before!.at(-1)).not.toContain('report');
      expect(before!.length).toBeGreaterThan(2);
      expect(after![0]).toBe(insisting.again);
    });

    it.each<[string, ScriptOf]>([
      ['works a day that gets on', honestWork],
      ['has a nested agent that gets on', nestedWork],
    ])('hears nothing when it %s', async (_, script) => {
      const run = await runAgent(agent, script, installUnrut(agent));
      expect(heard(run)).toEqual([]);
      expect(run.exchanges.at(-1)?.reply.text).toBe('Done.');
      expect(
        (await recordedIn(run.place)).filter(({ kind }) => kind === 'plan' || kind === 'fault'),
      ).toEqual([]);
    });
  });

  describe(`${agent.name} ${agent.version} runs as if Unrut were not there`, () => {
    let withoutUnrut: Promise<Run> | undefined;
    const alone = async () => {
      withoutUnrut ??= runAgent(agent, insists);
      const run = await withoutUnrut;
      expect(run.exchanges.at(-1)?.reply.text, run.output).toBe('Done.');
      return shape(run);
    };

    it('when it only records', async () => {
      const run = await runAgent(agent, insists, installUnrut(agent, '--shadow'));
      expect(shape(run)).toEqual(await alone());
      const plans = (await recordedIn(run.place))
        .filter(({ kind }) => kind === 'plan')
        .map(({ data }) => [data.rung, data.shadow]);
      expect(plans[0]).toEqual(['note', true]);
    });

    it.each(Object.keys(damages))('when it %s', async (damage) => {
      const run = await runAgent(agent, insists, async (place) => {
        await installUnrut(agent)(place);
        await damages[damage]!(place);
      });
      expect(shape(run)).toEqual(await alone());
    });
  });
}
