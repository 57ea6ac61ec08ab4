import type { AgentEvent } from '@unrut/engine/event';
import { createGuard } from '@unrut/engine/guard';
import { describe, expect, test } from 'vitest';

const START = 1_760_000_000_000;

/** A start of an agent, as a host with hooks reports it. */
interface Start {
  id: string;
  at: number;
  prompt: string;
  agent?: string;
  tool?: string;
}

const callOf = ({ id, prompt, tool = 'Agent' }: Start) => ({ id, tool, args: { prompt } });
const baseOf = ({ agent, at }: Start) => ({
  session: 's',
  at: START + at,
  ...(agent === undefined ? {} : { agent }),
});
const proposed = (start: Start): AgentEvent => ({
  ...baseOf(start),
  type: 'call-proposed',
  call: callOf(start),
  batch: start.id,
});
const finished = (start: Start, result: string): AgentEvent => ({
  ...baseOf(start),
  type: 'call-finished',
  call: callOf(start),
  batch: start.id,
  result,
});
const launched = (start: Start): AgentEvent =>
  finished(start, `Async agent launched successfully.\nagentId: agent-${start.id} (internal ID)`);

const WORDS = 'cellar harbour lantern meadow orchard pebble quarry ribbon saddle thicket'.split(
  ' ',
);
const wordAt = (i: number): string =>
  `${WORDS[i % 10]} ${WORDS[Math.floor(i / 10) % 10]} ${WORDS[Math.floor(i / 100) % 10]}`;

/** The guard's actions: the rung of each plan, and the start at which it was made. */
function done(events: readonly AgentEvent[], from = createGuard()) {
  const plans: { rung: string; reason: string; at: number; call: string }[] = [];
  for (const event of events) {
    const { plan } = from.observe(event);
    if (plan)
      plans.push({
        rung: plan.rung,
        reason: plan.reason,
        at: event.at - START,
        call: 'call' in event ? event.call.id : '',
      });
  }
  return plans;
}

describe('a storm of agents', () => {
  test('is warned at the 21st start, held back from the 31st, and a human is asked', () => {
    const guard = createGuard();
    const plans: { rung: string; id: number }[] = [];
    for (let i = 1; i <= 60; i++) {
      const start = { id: `${i}`, at: 300 * i, prompt: `Look into the ${wordAt(i)} of the house` };
      const { plan } = guard.observe(proposed(start));
      if (plan) plans.push({ rung: plan.rung, id: i });
      if (plan?.rung === 'block') continue;
      const after = guard.observe(launched(start)).plan;
      if (after) plans.push({ rung: after.rung, id: i });
    }
    expect(plans.slice(0, 7)).toEqual([
      { rung: 'note', id: 21 },
      { rung: 'hint', id: 22 },
      { rung: 'block', id: 31 },
      { rung: 'block', id: 32 },
      { rung: 'block', id: 33 },
      { rung: 'escalate', id: 34 },
      { rung: 'block', id: 35 },
    ]);
    // Other calls are not held back.
    const read = { id: 'r', tool: 'Read', args: { file_path: 'a.ts' } };
    expect(
      guard.observe({ type: 'call-proposed', session: 's', at: START + 20_000, call: read }).plan,
    ).toBeNull();
    // Nor are agents once the minute is over and most have ended.
    for (let i = 1; i <= 30; i++)
      guard.observe({
        type: 'text-added',
        session: 's',
        agent: `agent-${i}`,
        at: START + 30_000,
        channel: 'answer',
        text: `The ${wordAt(i)} is in order.`,
        done: true,
        rest: 'idle',
      });
    const later = { id: 'later', at: 90_000, prompt: 'Look into the roof of the house' };
    expect(guard.observe(proposed(later)).plan).toBeNull();
  });

  test('is seen in the whole tree: children that start children count for the session', () => {
    const events: AgentEvent[] = [];
    for (let i = 1; i <= 31; i++) {
      const agent = i <= 5 ? undefined : `child-${(i % 5) + 1}`;
      const start = {
        id: `${i}`,
        at: 400 * i,
        prompt: `Look into the ${wordAt(i)} of the house`,
        ...(agent === undefined ? {} : { agent }),
      };
      events.push(proposed(start), launched(start));
    }
    expect(done(events).filter(({ reason }) => reason === 'fan-out/storm')).toMatchObject([
      { rung: 'note', call: '21' },
      { rung: 'note', call: '22' },
      { rung: 'note', call: '23' },
      { rung: 'note', call: '24' },
      { rung: 'note', call: '25' },
      ...['26', '27', '28', '29', '30'].map((call) => ({ rung: 'hint', call })),
      { rung: 'block', call: '31' },
    ]);
  });
});

describe('honest work with agents gets no word', () => {
  test.each<[string, () => AgentEvent[]]>([
    [
      'ten that search in parallel, twice',
      () =>
        [0, 1].flatMap((round) => {
          const starts = Array.from({ length: 10 }, (_, i) => ({
            id: `${round}-${i}`,
            at: round * 40_000,
            prompt: `Search the ${wordAt(10 * round + i)} for the key`,
          }));
          return [
            ...starts.map(proposed),
            ...starts.map((start, i) =>
              finished(
                { ...start, at: start.at + 20_000 + i },
                `In the ${wordAt(500 + 10 * round + i)} there is no key, only ${wordAt(i)} things.`,
              ),
            ),
          ];
        }),
    ],
    [
      'twelve reviewers in the background',
      () =>
        Array.from({ length: 12 }, (_, i) => ({
          id: `${i}`,
          at: 200 * i,
          prompt: `Review the ${wordAt(i)} for mistakes`,
        })).flatMap((start) => [proposed(start), launched(start)]),
    ],
    [
      'a map over 30 files with eight at a time, nine seconds each',
      () => {
        const events: AgentEvent[] = [];
        for (let i = 0; i < 30; i++) {
          const start = {
            id: `${i}`,
            at: Math.floor(i / 8) * 9000 + (i % 8),
            prompt: `Translate the file ${wordAt(i)}`,
          };
          events.push(
            proposed(start),
            finished(
              { ...start, at: start.at + 8900 },
              `Translated: ${wordAt(700 + i)} ${wordAt(i)}`,
            ),
          );
        }
        return events.sort((one, other) => one.at - other.at);
      },
    ],
    [
      'a second level of three',
      () => {
        const start = (id: string, at: number, prompt: string, agent?: string): AgentEvent =>
          proposed({ id, at, prompt, ...(agent === undefined ? {} : { agent }) });
        return [
          start('1', 0, 'Find out how payments are booked and by which service'),
          start('2', 5000, 'List all callers of bookPayment', 'one'),
          start('3', 6000, 'Read the schema of the table of payments', 'one'),
          start('4', 7000, 'Look for retries in the queue worker', 'one'),
        ];
      },
    ],
    [
      'five retries after a crash',
      () =>
        Array.from({ length: 5 }, (_, i) => ({
          id: `${i}`,
          at: 9000 * i,
          prompt: 'Write the summary of the meeting',
        })).flatMap((start, i) => [
          proposed(start),
          finished(
            start,
            i < 4 ? `Error: the agent crashed (signal ${i})` : 'The summary is written.',
          ),
        ]),
    ],
  ])('%s', (_, make) => {
    const words = done(make()).filter(({ reason }) => reason.startsWith('fan-out'));
    expect(words).toEqual([]);
  });
});

describe('a task that is handed on', () => {
  const TASK = 'Refactor the settings module so that every option is validated in one place';
  /** Each agent starts the next one with this prompt. */
  const chain = (promptOf: (depth: number) => string): AgentEvent[] =>
    Array.from({ length: 6 }, (_, depth) =>
      proposed({
        id: `${depth}`,
        at: 5000 * depth,
        prompt: promptOf(depth),
        ...(depth === 0 ? {} : { agent: `level-${depth}` }),
      }),
    );

  test('by each agent to the next is held back at the third time', () => {
    const plans = done(chain((depth) => `${TASK}${depth > 2 ? ', please' : ''}`));
    expect(plans[0]).toMatchObject({ rung: 'block', reason: 'fan-out/depth', call: '3' });
  });

  test('in ever smaller parts is not', () => {
    const parts = [
      TASK,
      'Find where options of the server are read, and list the files',
      'Read src/server/options.ts and report its defaults',
      'Check which of those defaults the documentation mentions',
      'Look up when the port was last changed in git',
      'Print the commit message of 3f2a',
    ];
    expect(done(chain((depth) => parts[depth]!))).toEqual([]);
  });
});

test('tools of many hosts start agents, and a list of things to do does not', () => {
  const guard = createGuard();
  const seenOf = (tool: string, args: object) =>
    guard.observe({
      type: 'call-proposed',
      session: tool,
      at: START,
      call: { id: '1', tool, args },
    }).seen?.spawns?.total;
  for (const [tool, args] of [
    ['Agent', { prompt: 'Look at the tests' }],
    ['Task', { prompt: 'Look at the tests', description: 'look' }],
    ['task', { prompt: 'Look at the tests', subagent_type: 'explore' }],
    ['spawn_agent', { message: 'Look at the tests' }],
    ['sessions_spawn', { task: 'Look at the tests' }],
    ['delegate_task', { goal: 'Look at the tests' }],
    ['codebase_investigator', { objective: 'Look at the tests' }],
    ['new_task', { mode: 'code', message: 'Look at the tests' }],
    ['mcp__swarm__spawn_agent', { prompt: 'Look at the tests' }],
  ] as const)
    expect(seenOf(tool, args), tool).toBe(1);
  for (const [tool, args] of [
    ['task', { id: 3, status: 'done' }],
    ['TaskUpdate', { taskId: '1', task: 'Look at the tests' }],
    ['TodoWrite', { task: 'Look at the tests' }],
  ] as const)
    expect(seenOf(tool, args), tool).toBeUndefined();
});
