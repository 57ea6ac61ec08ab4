import type { Capability } from '@unrut/engine/event';
import { describe, expect, test } from 'vitest';
import { createGuard } from '../../packages/cli/src/index.ts';
import { name, prose } from './content.ts';
import {
  CAN,
  type CallStep,
  type Item,
  inTurn,
  MODES,
  plansOf,
  play,
  times,
  told,
} from './scenario.ts';
import { ANSWERS } from './vocabulary.ts';

const answers: [string, CallStep][] = Object.entries(ANSWERS);
const cannotBlock: Capability[] = CAN.filter((rung) => rung !== 'block');
const climbed = (plans: ReturnType<typeof plansOf>) =>
  plans.map(({ call, plan }) => `${call} ${plan.rung}`);

describe('what the agent gets while it continues', () => {
  test.each(answers)(
    'note, hint, block before it runs, escalate, two refusals, stop: %s',
    async (_, step) => {
      const moments = await play(inTurn(9, [step]));
      const plans = plansOf(moments);
      expect(climbed(plans), told(moments)).toEqual([
        '3 note',
        '4 hint',
        '5 block',
        '6 escalate',
        '7 block',
        '8 block',
        '9 stop',
      ]);
      expect(
        plans
          .filter(({ plan }) => plan.rung === 'block')
          .every(({ event }) => event.type === 'call-proposed'),
      ).toBe(true);
      expect(
        new Set(plans.map(({ plan }) => plan.toModel)).size,
        'different texts, and a short one for further refusals',
      ).toBe(6);
      for (const { plan } of plans) {
        expect(plan.toModel.length).toBeGreaterThan(20);
        expect(plan.toHuman.length).toBeGreaterThan(10);
        expect(plan.toHuman).not.toContain('\n');
      }
      expect(new Set(plans.map(({ plan }) => plan.streak)).size, 'one streak').toBe(1);
    },
  );

  for (const mode of MODES) {
    test.each(answers)(
      `a host that cannot block gives note, hint, escalate, stop (${mode}): %s`,
      async (_, step) => {
        const moments = await play(inTurn(8, [step]), { mode, options: { can: cannotBlock } });
        const plans = plansOf(moments);
        expect(climbed(plans), told(moments)).toEqual(['3 note', '4 hint', '5 escalate', '8 stop']);
        expect(new Set(plans.map(({ plan }) => plan.toModel)).size, 'four different texts').toBe(4);
      },
    );
  }

  test('no text quotes the whole repeated call or its result', async () => {
    const step = ANSWERS['a text record'];
    for (const { plan } of plansOf(await play(inTurn(6, [step])))) {
      expect(plan.toModel).not.toContain(JSON.stringify(step.args));
      expect(plan.toModel).not.toContain(step.result);
    }
  });

  test('in shadow mode it plans, climbs and never acts', async () => {
    const guard = createGuard({ can: CAN, shadow: true });
    const moments = await play(inTurn(6, [ANSWERS['a JSON record']]), {
      observe: (event) => guard.observe(event),
      ignores: true,
    });
    expect(plansOf(moments)).toEqual([]);
    const shadows = moments.flatMap(({ call, verdict }) =>
      verdict.shadow ? [`${call} ${verdict.shadow.rung}`] : [],
    );
    expect(shadows.slice(0, 2), told(moments)).toEqual(['3 note', '4 hint']);
    expect(shadows.length).toBeGreaterThanOrEqual(3);
  });
});

describe('a loop is broken and another begins', () => {
  const fresh = (from: number): Item[] =>
    times(5, (i) => ({
      tool: 'read_file',
      args: { path: `docs/${name(from + i)}.md` },
      result: prose(from + i, 24),
    }));
  const rungsAfter = async (
    first: Item[],
    second: Item[],
    can: Capability[],
    mode: (typeof MODES)[number],
  ) => {
    const moments = await play([...first, ...fresh(1), ...second], { mode, options: { can } });
    const begins = first.length + 5;
    const before = plansOf(moments).filter(({ call }) => call <= begins);
    return {
      before: before.map(({ plan }) => plan.rung),
      after: plansOf(moments).filter(({ call }) => call > begins),
      story: told(moments),
    };
  };
  const pairs: [string, CallStep, CallStep][] = [
    ['records', ANSWERS['a JSON record'], ANSWERS['a text record']],
    ['Claude Code', ANSWERS['Claude Code Read'], ANSWERS['Claude Code Bash']],
    [
      'unknown and Playwright',
      ANSWERS['a tool whose name says nothing'],
      ANSWERS['Playwright MCP'],
    ],
  ];

  for (const mode of MODES) {
    test.each(pairs)(`another loop begins with a note (${mode}): %s`, async (_, one, two) => {
      const { before, after, story } = await rungsAfter(
        inTurn(4, [one]),
        inTurn(3, [two]),
        CAN,
        mode,
      );
      expect(before, story).toEqual(['note', 'hint']);
      expect(
        after.map(({ plan }) => plan.rung),
        story,
      ).toEqual(['note']);
    });

    test.each(pairs)(
      `the same loop after a note resumes with a hint (${mode}): %s`,
      async (_, one) => {
        const { before, after, story } = await rungsAfter(
          inTurn(3, [one]),
          inTurn(3, [one]),
          CAN,
          mode,
        );
        expect(before, story).toEqual(['note']);
        expect(after[0]?.plan.rung, story).toBe('hint');
      },
    );

    test.each(pairs)(
      `the same loop after a hint resumes with escalate where nothing can be blocked (${mode}): %s`,
      async (_, one) => {
        const { before, after, story } = await rungsAfter(
          inTurn(4, [one]),
          inTurn(3, [one]),
          cannotBlock,
          mode,
        );
        expect(before, story).toEqual(['note', 'hint']);
        expect(after[0]?.plan.rung, story).toBe('escalate');
      },
    );
  }

  test.each(pairs)('the same loop after a hint resumes with a block: %s', async (_, one) => {
    const { before, after, story } = await rungsAfter(
      inTurn(4, [one]),
      inTurn(3, [one]),
      CAN,
      'both',
    );
    expect(before, story).toEqual(['note', 'hint']);
    expect(after[0]?.plan.rung, story).toBe('block');
  });
});
