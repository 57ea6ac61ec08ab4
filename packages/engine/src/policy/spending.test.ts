import { describe, expect, test } from 'vitest';
import type { AgentEvent, Capability } from '../event.ts';
import { createGuard, type Guard, type Verdict } from '../guard.ts';
import type { BudgetOptions } from './spending.ts';

const START = Date.UTC(2026, 4, 4, 9);
const MINUTE = 60_000;

interface Step {
  usd?: number;
  /** Minutes since the event before. */
  after?: number;
  agent?: string;
  session?: string;
  parent?: string;
}

/** An agent that makes a new call at each step, so that nothing of it is a loop. */
function worker(guard: Guard, start = START) {
  let at = start;
  let calls = 0;
  const observe = (event: object): Verdict =>
    guard.observe({ session: 's', at, ...event } as AgentEvent);
  return {
    observe,
    propose({ after = 0, agent, session, parent }: Step = {}): Verdict {
      at += after * MINUTE;
      return observe({
        type: 'call-proposed',
        call: callOf(calls),
        ...(agent ? { agent } : {}),
        ...(session ? { session } : {}),
        ...(parent ? { parent } : {}),
      });
    },
    finish({ usd, after = 0, agent, session, parent }: Step = {}): Verdict {
      at += after * MINUTE;
      const call = callOf(calls++);
      return observe({
        type: 'call-finished',
        call,
        result: `Chapter ${call.id} tells of ${call.args.name}.`,
        ...(usd === undefined ? {} : { cost: { usd } }),
        ...(agent ? { agent } : {}),
        ...(session ? { session } : {}),
        ...(parent ? { parent } : {}),
      });
    },
    speak(after = 0): Verdict {
      at += after * MINUTE;
      return observe({ type: 'user-spoke', text: 'go on' });
    },
  };
}

const NAMES = 'oak elm ash yew fir bay box fig gum haw ivy nut pea rye sal tea'.split(' ');
const callOf = (i: number) => ({
  id: `c${i}`,
  tool: 'read_chapter',
  args: { name: NAMES[i % NAMES.length]! + i },
});

/** What was done after each step, and what it was about. */
const deed = ({ plan }: Verdict): string => (plan ? `${plan.rung} ${plan.reason}` : '-');
const played = (count: number, play: (i: number) => Verdict): string[] =>
  Array.from({ length: count }, (_, i) => deed(play(i)));

describe('a budget that is nearly spent', () => {
  test.each<[string, BudgetOptions, Step, number, string]>([
    ['usd', { usd: 5 }, { usd: 0.5 }, 8, '$4.00 of $5.00 is spent'],
    ['minutes', { minutes: 10 }, { after: 1 }, 9, '8 of 10 minutes are used'],
    ['steps', { steps: 10 }, {}, 8, '8 of 10 steps are used'],
  ])('is noted once at 80 %%: %s', (kind, budget, step, noted, words) => {
    const { finish } = worker(createGuard({ budget }));
    const verdicts = Array.from({ length: 9 }, () => finish(step));
    expect(verdicts.map(deed)).toEqual(
      Array.from({ length: 9 }, (_, i) => (i === noted - 1 ? `note budget/${kind}` : '-')),
    );
    const { toModel, toHuman } = verdicts[noted - 1]!.plan!;
    expect(toModel).toBe(`Unrut (loop guard): ${words}. Finish the part you are on, then report.`);
    expect(toHuman).toBe(`Unrut: ${words}. The agent was told to finish the part it is on.`);
  });

  test('changes nothing below 80 %: verdict and texts are those of a guard without it', () => {
    const [with_, without] = [
      createGuard({ budget: { usd: 5, minutes: 100, steps: 100, subagents: 10 } }),
      createGuard(),
    ];
    const [one, other] = [worker(with_), worker(without)];
    const same = (verdict: Verdict): string => {
      const { budget: _, ...rest } = verdict;
      return JSON.stringify(rest);
    };
    for (let i = 0; i < 7; i++) {
      expect(same(one.propose({}))).toBe(same(other.propose({})));
      expect(same(one.finish({ usd: 0.5, after: 1 }))).toBe(
        same(other.finish({ usd: 0.5, after: 1 })),
      );
    }
    expect(one.finish({}).budget?.figures).toEqual({
      usd: { spent: 3.5, limit: 5 },
      minutes: { spent: 7, limit: 100 },
      steps: { spent: 8, limit: 100 },
      subagents: { spent: 0, limit: 10 },
    });
    expect(other.finish({}).budget).toBeUndefined();
  });

  test('the note waits while there is a loop to speak of', () => {
    const guard = createGuard({ budget: { usd: 10 } });
    const { finish } = worker(guard);
    const again = (i: number): Verdict =>
      guard.observe({
        type: 'call-finished',
        session: 's',
        at: START + i,
        call: { id: `again${i}`, tool: 'look', args: {} },
        result: 'The same lamp is lit.',
        cost: { usd: i === 2 ? 8 : 0 },
      });
    expect(played(3, again)).toEqual(['-', '-', 'note repeated-call/consecutive']);
    expect(deed(finish({}))).toBe('note budget/usd');
  });
});

describe('a budget that is spent, with a user', () => {
  test('is asked about once, and then every call is blocked until the user speaks', () => {
    const { finish, propose, speak } = worker(createGuard({ budget: { usd: 2 } }));
    expect(played(4, () => finish({ usd: 0.5 }))).toEqual(['-', '-', '-', 'escalate budget/usd']);
    expect([deed(propose()), deed(propose()), deed(finish())]).toEqual([
      'block budget/usd',
      'block budget/usd',
      '-',
    ]);
    expect(speak(600).budget?.extended).toEqual(['usd']);
    expect(deed(propose())).toBe('-');
    expect(finish({ usd: 1.2 }).plan?.toModel).toContain('$3.20 of $4.00 is spent');
    expect(finish({ usd: 0.8 }).plan).toMatchObject({ rung: 'escalate', reason: 'budget/usd' });
  });

  test('a call that it blocks spends no step of what the user adds', () => {
    const guard = createGuard({ budget: { steps: 4 } });
    const { finish, observe, speak } = worker(guard);
    for (let i = 0; i < 4; i++) finish({});
    for (let i = 0; i < 3; i++)
      observe({ type: 'call-finished', call: callOf(9), refusedBy: 'unrut', result: 'Blocked.' });
    expect(speak().budget?.figures.steps).toEqual({ spent: 4, limit: 8 });
    expect(deed(finish({}))).toBe('-');
  });

  test('says what it asks', () => {
    const { finish, propose } = worker(createGuard({ budget: { minutes: 30 } }));
    finish({});
    const { plan } = finish({ after: 31 });
    expect(plan?.toModel).toBe(
      'Unrut (loop guard): the budget is spent: 31 of 30 minutes. The user was asked whether to go on. Call no more tools: end your turn with what is done and what is left.',
    );
    expect(plan?.toHuman).toBe(
      'Unrut: the budget is spent: 31 of 30 minutes. To let the agent go on with 30 minutes more, tell it to go on.',
    );
    expect(propose().plan?.toModel).toBe(
      'Unrut (loop guard) did not run this call: the budget is spent: 31 of 30 minutes, and the user has not answered yet. Call no more tools: end your turn with what is done and what is left.',
    );
  });

  test('a user who speaks before the budget is spent extends nothing', () => {
    const { finish, speak } = worker(createGuard({ budget: { usd: 2 } }));
    finish({ usd: 1.7 });
    expect(speak().budget?.extended).toBeUndefined();
    expect(deed(finish({ usd: 0.3 }))).toBe('escalate budget/usd');
  });

  test('the time in which the agent waits for the user is not counted', () => {
    const { finish, speak } = worker(createGuard({ budget: { minutes: 10 } }));
    finish({});
    finish({ after: 5 });
    speak(720);
    expect(finish({ after: 1 }).budget?.figures.minutes).toEqual({ spent: 6, limit: 10 });
  });
});

describe('a budget that is spent, without a user', () => {
  const alone = (can?: readonly Capability[]) =>
    createGuard({ budget: { steps: 4 }, attended: false, ...(can ? { can } : {}) });

  test('the report is requested, two more responses are blocked, then the run is stopped', () => {
    const { finish, propose } = worker(alone());
    expect(played(4, () => finish({}))).toEqual(['-', '-', '-', 'escalate budget/steps']);
    expect(played(4, () => propose({ after: 1 }))).toEqual([
      'block budget/steps',
      'block budget/steps',
      'stop budget/steps',
      'stop budget/steps',
    ]);
  });

  test('the texts ask for the report and name the setting to raise', () => {
    const { finish, propose } = worker(alone());
    const plans = [0, 1, 2, 3].map(() => finish({}).plan);
    expect(plans[3]?.toModel).toBe(
      'Unrut (loop guard) is about to stop this run: the budget is spent: 4 of 4 steps. Call no more tools. Answer now with your report: what you tried, what you know, and what is needed to go on.',
    );
    const [blocked, , stopped] = [0, 1, 2].map(() => propose({ after: 1 }).plan);
    expect(blocked?.toModel).toContain('This call was not run; call no more tools.');
    expect(stopped).toMatchObject({
      toHuman:
        'Unrut stopped the run: the budget is spent: 4 of 4 steps. To go on, raise budget.steps.',
      action: { stop: { code: 'budget', kind: 'steps', spent: 4, limit: 4 }, resumable: true },
    });
  });

  test('a host that cannot stop blocks every further call', () => {
    const { finish, propose } = worker(alone(['note', 'hint', 'block', 'escalate']));
    played(4, () => finish({}));
    expect(played(5, () => propose({ after: 1 }))).toEqual(
      Array.from({ length: 5 }, () => 'block budget/steps'),
    );
  });

  test('a host that reports calls only when they have finished is stopped at the next one', () => {
    const { finish } = worker(alone(['note', 'hint', 'stop']));
    expect(played(6, () => finish({ after: 1 }))).toEqual([
      '-',
      '-',
      '-',
      'hint budget/steps',
      'stop budget/steps',
      'stop budget/steps',
    ]);
  });

  test('a prompt does not extend it: scripts write prompts too', () => {
    const { finish, propose, speak } = worker(alone());
    played(4, () => finish({}));
    expect(speak().budget?.extended).toBeUndefined();
    expect(deed(propose({ after: 1 }))).toBe('block budget/steps');
  });

  test('in shadow mode nothing is done, and the plan is recorded', () => {
    const { finish } = worker(createGuard({ budget: { steps: 1 }, shadow: true }));
    const verdict = finish({});
    expect(verdict.plan).toBeNull();
    expect(verdict.shadow).toMatchObject({ rung: 'escalate', reason: 'budget/steps' });
  });
});

describe('nested agents', () => {
  test('a session pays for its nested agents, and all of them are ended', () => {
    const guard = createGuard({ budget: { usd: 3 }, attended: false });
    const { finish, propose } = worker(guard);
    expect(deed(finish({ usd: 1 }))).toBe('-');
    expect(deed(finish({ usd: 1, agent: 'a' }))).toBe('-');
    expect(deed(finish({ usd: 1, agent: 'b' }))).toBe('escalate budget/usd');
    // Each of them is asked for its own report.
    expect(deed(finish({ agent: 'a' }))).toBe('escalate budget/usd');
    expect(deed(propose({ after: 1 }))).toBe('block budget/usd');
  });

  test('a twin with the same calls in sessions of their own is left alone', () => {
    const guard = createGuard({ budget: { usd: 3 }, attended: false });
    const { finish } = worker(guard);
    expect(deed(finish({ usd: 1 }))).toBe('-');
    expect(deed(finish({ usd: 1, session: 'a' }))).toBe('-');
    expect(deed(finish({ usd: 1, session: 'b' }))).toBe('-');
  });

  test('each nested agent counts once, and the one beyond the limit is over it', () => {
    const { finish } = worker(createGuard({ budget: { subagents: 2 } }));
    const deeds = ['a', 'a', 'b', 'b', 'a', 'c'].map((agent) => deed(finish({ agent })));
    expect(deeds).toEqual([
      '-',
      '-',
      'note budget/subagents',
      '-',
      '-',
      'escalate budget/subagents',
    ]);
  });

  test('a run pays for the sessions that report to it, and for theirs', () => {
    const guard = createGuard({ budget: { steps: 4 } });
    const { finish, observe } = worker(guard);
    observe({ type: 'iteration-started', session: 'run', iteration: 1 });
    finish({ session: 'one', parent: 'run' });
    finish({ session: 'below', parent: 'one' });
    // The session reports what was spent below it with its own next event.
    expect(finish({ session: 'one', parent: 'run' }).budget?.figures.steps?.spent).toBe(3);
    expect(deed(finish({ session: 'two', parent: 'run' }))).toBe('escalate budget/steps');
  });

  test('an iteration that ends over the budget stops the run at once', () => {
    const guard = createGuard({ budget: { usd: 1 }, attended: false });
    const verdict = guard.observe({
      type: 'output-finished',
      session: 'run',
      at: START,
      output: 'Wrote the chapter on elms.',
      cost: { usd: 1.5 },
    });
    expect(deed(verdict)).toBe('stop budget/usd');
  });
});

describe('the day', () => {
  test('counts what the ledger reports and what the event itself costs', () => {
    const guard = createGuard({ budget: { day: { usd: 50 } } });
    const step = (usd: number, today: number) =>
      guard.observe({
        type: 'call-finished',
        session: 's',
        at: START,
        call: callOf(usd * 100),
        result: `Leaf ${usd}`,
        cost: { usd },
        spentToday: { usd: today },
      });
    expect(deed(step(1, 20))).toBe('-');
    expect(step(2, 38).plan?.toModel).toContain('$40.00 of $50.00 is spent today');
    expect(step(3, 47).plan?.toHuman).toContain(
      'the budget of this day is spent: $50.00 of $50.00',
    );
  });

  test('is not limited by a budget of the session alone', () => {
    const guard = createGuard({ budget: { usd: 50 } });
    const verdict = guard.observe({
      type: 'call-finished',
      session: 's',
      at: START,
      call: callOf(1),
      result: 'Leaf',
      spentToday: { usd: 500 },
    });
    expect(verdict.plan).toBeNull();
  });
});

test('state is restored from JSON after every event, with the same plans', () => {
  const options = { budget: { steps: 3 }, attended: false };
  const plain = worker(createGuard(options));
  let saved = createGuard(options).snapshot();
  let at = START;
  for (let i = 0; i < 6; i++) {
    const guard = createGuard({ ...options, from: JSON.parse(JSON.stringify(saved)) });
    const event: AgentEvent = {
      type: 'call-finished',
      session: 's',
      at,
      call: callOf(i),
      result: `Chapter ${callOf(i).id} tells of ${callOf(i).args.name}.`,
    };
    at += MINUTE;
    const verdict = guard.observe(event);
    expect(deed(verdict)).toBe(deed(plain.observe(event)));
    saved = guard.snapshot();
  }
});

test.each([
  [{ usd: 'five' }, 'Expected `budget.usd`'],
  [{ steps: 1.5 }, 'Expected `budget.steps`'],
  [{ minutes: -1 }, 'Expected `budget.minutes`'],
  [{ day: { minutes: 5 } }, '`budget.day.minutes`'],
  [{ dollars: 5 }, '`budget.dollars`'],
])('createGuard rejects the budget %j', (budget, words) => {
  expect(() => createGuard({ budget: budget as BudgetOptions })).toThrow(words);
});
