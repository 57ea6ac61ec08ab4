import type { AgentEvent } from '@unrut/engine/event';
import { describe, expect, test } from 'vitest';
import { createGuard, createMemoryLedger, recordTo } from '../../packages/cli/src/index.ts';
import { prose } from './content.ts';
import {
  CAN,
  type CallStep,
  expectRun,
  firstSignal,
  inTurn,
  MODES,
  type Moment,
  play,
  times,
  told,
} from './scenario.ts';
import { ANSWERS } from './vocabulary.ts';

const answers: [string, CallStep][] = Object.entries(ANSWERS);
const busy = (index: number): CallStep => ({
  tool: 'read_file',
  args: { path: `docs/${index}.md` },
  result: prose(index, 24),
});

/** The signals that a reader raised itself, by the count of its own calls. */
function ownCalls(
  moments: Moment[],
  mine: (event: AgentEvent) => boolean,
): { first: number | undefined; signals: number } {
  const own = moments.filter(({ event }) => mine(event));
  const numbers = [...new Set(own.map(({ call }) => call))];
  const raised = own.filter(({ verdict }) =>
    verdict.signals.some(({ agent }) => agent === undefined),
  );
  return { first: raised[0] && numbers.indexOf(raised[0].call) + 1, signals: raised.length };
}

for (const mode of MODES) {
  describe(`sessions and nested agents, ${mode}`, () => {
    test.each(answers)(
      'two looping sessions interleaved each fire at their own third: %s',
      async (_, step) => {
        const moments = await play(
          times(8, (i) => ({ ...step, session: i % 2 === 0 ? 'one' : 'two' })),
          { mode },
        );
        for (const session of ['one', 'two']) {
          expect(ownCalls(moments, (event) => event.session === session).first, told(moments)).toBe(
            3,
          );
        }
      },
    );

    test.each(answers)('a quiet session next to a looping one never fires: %s', async (_, step) => {
      const moments = await play(
        times(12, (i) =>
          i % 2 === 0 ? { ...step, session: 'loops' } : { ...busy(i), session: 'quiet' },
        ),
        { mode },
      );
      expect(ownCalls(moments, (event) => event.session === 'loops').first).toBe(3);
      expect(
        moments.filter(
          ({ event, verdict }) => event.session === 'quiet' && verdict.signals.length > 0,
        ),
      ).toEqual([]);
    });

    test.each(answers)(
      'of two nested agents the looping one fires at its third, and the parent sees it: %s',
      async (_, step) => {
        const items = times(
          12,
          (i) =>
            [{ ...step, agent: 'researcher' }, { ...busy(i), agent: 'writer' }, busy(i + 100)][
              i % 3
            ]!,
        );
        const moments = await play(items, { mode });
        expect(
          ownCalls(moments, (event) => event.agent === 'researcher').first,
          told(moments),
        ).toBe(3);
        expect(ownCalls(moments, (event) => event.agent === 'writer').signals, told(moments)).toBe(
          0,
        );
        expect(ownCalls(moments, (event) => event.agent === undefined).signals, told(moments)).toBe(
          0,
        );
        const repeated = moments.filter(({ verdict }) =>
          verdict.signals.some(({ agent }) => agent === 'researcher'),
        );
        expect(repeated.length, told(moments)).toBeGreaterThan(0);
      },
    );

    test.each(answers)(
      'two nested agents that make the same calls each fire at their own third: %s',
      async (_, step) => {
        const moments = await play(
          times(8, (i) => ({ ...step, agent: i % 2 === 0 ? 'left' : 'right' })),
          { mode },
        );
        for (const agent of ['left', 'right'])
          expect(ownCalls(moments, (event) => event.agent === agent).first, told(moments)).toBe(3);
      },
    );

    test('a nested run in a session of its own reports to its parent', async () => {
      const child = { session: 'child', parent: 'main', agent: 'researcher' };
      const items = times(8, (i) =>
        i % 2 === 0 ? { ...ANSWERS['a JSON record'], ...child } : { ...busy(i), session: 'main' },
      );
      const moments = await play(items, { mode });
      expect(ownCalls(moments, (event) => event.session === 'child').first, told(moments)).toBe(3);
      const repeated = moments.filter(({ verdict }) =>
        verdict.signals.some(({ agent }) => agent === 'researcher'),
      );
      expect(repeated.length, told(moments)).toBeGreaterThan(0);
    });
  });

  describe(`a restart inside a repeated call, ${mode}`, () => {
    const items = (step: CallStep) => inTurn(6, [step]);

    test.each(answers)('by snapshot between calls 2 and 3: %s', async (_, step) => {
      let guard = createGuard({ can: CAN });
      let finished = 0;
      const observe = (event: AgentEvent) => {
        const verdict = guard.observe(event);
        if (event.type === 'call-finished' && ++finished === 2)
          guard = createGuard({ can: CAN, from: JSON.parse(JSON.stringify(guard.snapshot())) });
        return verdict;
      };
      expectRun(await play(items(step), { mode, observe }), 3);
    });

    test.each(answers)('by snapshot after every event: %s', async (_, step) => {
      let guard = createGuard({ can: CAN });
      const observe = (event: AgentEvent) => {
        const verdict = guard.observe(event);
        guard = createGuard({ can: CAN, from: JSON.parse(JSON.stringify(guard.snapshot())) });
        return verdict;
      };
      const moments = await play(items(step), { mode, observe });
      expectRun(moments, 3);
      const untouched = await play(items(step), { mode });
      expect(moments.map(({ verdict }) => verdict)).toEqual(
        untouched.map(({ verdict }) => verdict),
      );
    });

    test.each(answers)(
      'by ledger, between calls 2 and 3 and after every event: %s',
      async (_, step) => {
        for (const restart of ['once', 'always']) {
          const ledger = createMemoryLedger();
          let recorder = recordTo(ledger, { can: CAN });
          let finished = 0;
          const observe = async (event: AgentEvent) => {
            const verdict = await recorder.observe(event);
            if (restart === 'always' || (event.type === 'call-finished' && ++finished === 2))
              recorder = recordTo(ledger, { can: CAN });
            return verdict;
          };
          const moments = await play(items(step), { mode, observe });
          expectRun(moments, 3);
          expect(firstSignal(moments), restart).toBe(3);
        }
      },
    );
  });
}
