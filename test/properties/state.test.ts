import type { AgentEvent } from '@unrut/engine/event';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createGuard, recommended, strict } from '../../packages/cli/src/index.ts';
import { casesOf, isFull } from '../full-runs.ts';
import { name, prose, source } from '../scenarios/content.ts';
import { type GuardOptions, loopingRun, type Verdict, verdictsOf } from './loops.ts';

const presets: [string, GuardOptions][] = [
  ['recommended', { preset: recommended, can: ['note', 'hint', 'block', 'escalate', 'stop'] }],
  [
    'strict, every capability',
    {
      preset: strict,
      can: ['note', 'hint', 'substitute', 'block', 'redirect', 'escalate', 'stop'],
    },
  ],
  ['shadow', { shadow: true }],
];

/** A message as models stream it. */
const piecesOfText = (): fc.Arbitrary<AgentEvent[]> =>
  fc
    .tuple(
      fc.constantFrom('answer' as const, 'thinking' as const),
      fc.array(fc.lorem({ maxCount: 12 }), { minLength: 1, maxLength: 5 }),
      fc.boolean(),
    )
    .map(([channel, texts, done]) =>
      texts.map((text, i) => ({
        type: 'text-added',
        session: 's',
        at: 1_700_000_000_000,
        channel,
        text,
        done: done && i === texts.length - 1,
      })),
    );

test('the generator really provokes loops', () => {
  const runs = fc.sample(loopingRun(), { numRuns: 100, seed: 7 });
  const signalled = runs.map((events) =>
    verdictsOf(events).flatMap(({ signals }) => signals.map(({ detector }) => detector)),
  );
  expect(signalled.filter((detectors) => detectors.length > 0).length).toBeGreaterThan(40);
  expect(new Set(signalled.flat()).size).toBeGreaterThan(4);
});

describe('state', () => {
  test.each(presets)(
    'goes through JSON after every event without a difference: %s',
    (_, options) => {
      fc.assert(
        fc.property(fc.oneof(loopingRun(), piecesOfText()), (events) => {
          const whole = verdictsOf(events, options);
          let guard = createGuard(options);
          for (const [index, event] of events.entries()) {
            const verdict = guard.observe(event);
            expect(verdict).toEqual(whole[index]);
            const saved = guard.snapshot();
            const text = JSON.stringify(saved);
            expect(JSON.parse(text), 'a snapshot is plain JSON').toEqual(saved);
            guard = createGuard({ ...options, from: JSON.parse(text) });
          }
        }),
        { numRuns: casesOf(60) },
      );
    },
  );

  test('a snapshot is not changed by what the guard sees later', () => {
    fc.assert(
      fc.property(loopingRun(), loopingRun(), (before, after) => {
        const guard = createGuard();
        for (const event of before) guard.observe(event);
        const saved = guard.snapshot();
        const text = JSON.stringify(saved);
        for (const event of after) guard.observe(event);
        expect(JSON.stringify(saved)).toBe(text);
      }),
      { numRuns: casesOf(60) },
    );
  });

  test('the same events give the same verdicts', () => {
    fc.assert(
      fc.property(loopingRun(), (events) => {
        expect(verdictsOf(events)).toEqual(verdictsOf(structuredClone(events)));
      }),
      { numRuns: casesOf(100) },
    );
  });

  test('events are never changed', () => {
    fc.assert(
      fc.property(loopingRun(), (events) => {
        const before = structuredClone(events);
        verdictsOf(events);
        expect(events).toEqual(before);
      }),
      { numRuns: casesOf(60) },
    );
  });

  test('interleaving two sessions changes nothing for either', () => {
    fc.assert(
      fc.property(
        loopingRun('one'),
        loopingRun('two'),
        fc.infiniteStream(fc.boolean()),
        (one, two, choices) => {
          const guard = createGuard();
          const seen: Record<string, Verdict[]> = { one: [], two: [] };
          const queues = [[...one], [...two]];
          while (queues[0]!.length > 0 || queues[1]!.length > 0) {
            const first =
              queues[1]!.length === 0 || (queues[0]!.length > 0 && choices.next().value);
            const event = (first ? queues[0] : queues[1])!.shift()!;
            seen[event.session]!.push(guard.observe(event));
          }
          expect(seen.one).toEqual(verdictsOf(one));
          expect(seen.two).toEqual(verdictsOf(two));
        },
      ),
      { numRuns: casesOf(150) },
    );
  });

  test('one session taken out by its name continues exactly where it stopped', () => {
    fc.assert(
      fc.property(loopingRun('one'), loopingRun('two'), fc.nat(79), (one, two, cut) => {
        const guard = createGuard();
        for (const event of two) guard.observe(event);
        for (const event of one.slice(0, cut)) guard.observe(event);
        const resumed = createGuard({ from: JSON.parse(JSON.stringify(guard.snapshot('one'))) });
        expect(one.slice(cut).map((event) => resumed.observe(event))).toEqual(
          verdictsOf(one).slice(cut),
        );
      }),
      { numRuns: casesOf(60) },
    );
  });
});

const EVENTS = isFull ? 100_000 : 10_000;

test(`state stays under 64 KB per session over ${EVENTS} events`, () => {
  const guard = createGuard();
  const long = prose(3, 400);
  const make = (index: number): object => {
    const call = {
      id: `c${index}`,
      tool: `tool_${name(index % 997)}`,
      args: { path: `src/${name(index)}.ts`, depth: index % 13 },
    };
    switch (index % 16) {
      case 0:
        return {
          type: 'text-added',
          channel: 'answer',
          text: `${long} ${index}`,
          done: index % 32 === 0,
        };
      case 1:
        return { type: 'text-added', channel: 'thinking', text: prose(index, 30), done: true };
      case 2:
        return {
          type: 'call-finished',
          call: {
            ...call,
            tool: 'Edit',
            args: { file_path: `src/${index}.ts`, old_string: name(index), new_string: long },
          },
          result: 'ok, the file was updated',
        };
      case 3:
        return {
          type: 'call-finished',
          call: { ...call, tool: 'Bash', args: { command: `grep -rn ${name(index)} src` } },
          result: source(index % 500, 20),
          exitCode: 0,
        };
      case 4:
        return {
          type: 'call-finished',
          call,
          error: `Error: ${name(index)} was not found in ${prose(index, 8)}`,
        };
      case 5:
        return {
          type: 'call-finished',
          call: {
            ...call,
            tool: 'patchWidget',
            args: { spaceId: `s${index % 300}`, widgetId: name(index) },
          },
          result: 'patched, rendered ok',
        };
      case 6:
        return {
          type: 'output-finished',
          output: `${prose(index, 60)}\nModified ${name(index)}.ts`,
        };
      case 7:
        return {
          type: 'action-finished',
          action: { type: 'click', x: index % 900, y: index % 700 },
          target: { role: 'button', name: name(index) },
          screen: { url: `https://e.com/${index}`, frame: name(index) },
        };
      case 8:
        return {
          type: 'task-attempted',
          task: `t-${name(index)}`,
          status: 'blocked',
          blockers: [prose(index, 9)],
          work: [name(index)],
          attemptSession: `a${index}`,
        };
      case 9:
        return index % 5 === 0 ? { type: 'context-compacted' } : { type: 'call-proposed', call };
      case 10:
        return {
          type: 'call-finished',
          call: { ...call, tool: 'alpha', args: { same: true } },
          result: 'the same answer of some length',
        };
      case 11:
        return {
          type: 'call-finished',
          call,
          refusedBy: 'unknown-tool',
          result: `There is no tool named ${call.tool}`,
        };
      case 12:
        return {
          type: 'call-finished',
          call,
          batch: `b${Math.floor(index / 32)}`,
          agent: `nested-${index % 40}`,
          result: prose(index, 12),
        };
      case 13:
        return {
          type: 'call-finished',
          call: { ...call, tool: 'Agent', args: { prompt: prose(index, 30) } },
          result: `Async agent launched successfully. agentId: ${name(index)}-${index}`,
        };
      default:
        return {
          type: 'call-finished',
          call,
          result: { id: index, remark: prose(index, 20), list: [name(index), name(index + 1)] },
        };
    }
  };
  let largest = 0;
  for (let index = 0; index < EVENTS; index++) {
    guard.observe({
      session: 's',
      at: 1_760_000_000_000 + index * 1_000,
      id: `e${index}`,
      ...make(index),
    } as AgentEvent);
    if (index % 1_000 !== 999) continue;
    // A nested agent has a state of its own.
    for (const state of Object.values(guard.snapshot('s').sessions))
      largest = Math.max(largest, JSON.stringify(state).length);
  }
  expect(largest).toBeLessThan(64 * 1024);
});

test('state stays under 64 KB however long the names are', () => {
  const made: string[] = [];
  const long = (seed: number): string => (made[seed] ??= prose(seed, 600));
  const guard = createGuard();
  let largest = 0;
  const rounds = isFull ? 400 : 150;
  for (let i = 0; i < rounds; i++) {
    const call = {
      id: long(i),
      tool: `tool ${long(i)}`,
      args: { path: `src/${long(i).slice(0, 500)}.ts`, url: long(i) },
    };
    const events: object[] = [
      { type: 'call-proposed', call, batch: long(i + 1) },
      {
        type: 'call-finished',
        call,
        batch: long(i + 2),
        error: `Error: ${long(i)}`,
        after: { target: long(i), digest: long(i) },
      },
      {
        type: 'call-finished',
        call: { ...call, tool: 'Write' },
        result: 'ok',
        after: { target: long(i), digest: long(i) },
      },
      {
        type: 'call-finished',
        call: {
          ...call,
          tool: 'patchWidget',
          args: { spaceId: long(i), widgetId: long(i).slice(0, 400) },
        },
        result: long(i),
      },
      {
        type: 'action-finished',
        action: { type: long(i), x: i },
        target: { role: long(i), name: long(i) },
        screen: { url: long(i), frame: long(i) },
      },
      { type: 'output-finished', output: long(i) },
      { type: 'text-added', channel: 'thinking', text: long(i), done: true },
    ];
    for (const [k, event] of events.entries())
      guard.observe({
        session: 's',
        at: i * 9000 + k * 1000,
        id: `${k}${long(i)}`,
        ...event,
      } as AgentEvent);
    if (i % 10 === 9) largest = Math.max(largest, JSON.stringify(guard.snapshot('s')).length);
  }
  // Something was kept of them.
  expect(largest).toBeGreaterThan(30 * 1024);
  expect(largest).toBeLessThan(64 * 1024);
});
