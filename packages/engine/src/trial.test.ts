import { expect, test } from 'vitest';
import type { AgentEvent } from './event.ts';
import { createGuard, type GuardOptions, type Verdict } from './guard.ts';

/** The same failure, again and again; `about` may make it that of a nested agent. */
const failures = (session: string, about: Partial<AgentEvent> = {}): AgentEvent[] =>
  Array.from(
    { length: 8 },
    (_, i) =>
      ({
        ...{ type: 'call-finished', session, at: 1000 * i },
        call: { id: `${session}-${i}`, tool: 'Bash', args: { command: 'npm test' } },
        error: 'Error: cannot find module lib',
        ...about,
      }) as AgentEvent,
  );
const names = Array.from({ length: 400 }, (_, i) => `run-${i}`);
const trial = { share: 0.5 };

const isActedOn = (verdicts: Verdict[]): boolean => verdicts.some(({ plan }) => plan !== null);
const show = (events: readonly AgentEvent[], options: GuardOptions, guard = createGuard(options)) =>
  events.map((event) => guard.observe(event));
const armOf = (session: string, options: GuardOptions): string | undefined =>
  show(failures(session).slice(0, 1), options)[0]!.drawn?.arm;

const recorded = names.find((name) => armOf(name, { trial }) === 'recorded')!;
const guarded = names.find((name) => armOf(name, { trial }) === 'guarded')!;

test('a trial draws about as many sessions as its share says, by their names and the key', () => {
  const shareOf = (options: GuardOptions): number =>
    names.filter((name) => armOf(name, options) === 'recorded').length / names.length;
  expect(shareOf({ trial })).toBeCloseTo(0.5, 1);
  expect(shareOf({ trial: { share: 0.1 } })).toBeCloseTo(0.1, 1);
  expect(shareOf({ trial: { share: 0 } })).toBe(0);
  expect(shareOf({ trial: { share: 1 } })).toBe(1);
  const arms = (options: GuardOptions) => names.map((name) => armOf(name, options));
  expect(arms({ trial })).toEqual(arms({ trial }));
  expect(arms({ trial, key: 'other' })).not.toEqual(arms({ trial }));
  expect(arms({ trial: { ...trial, name: 'second' } })).not.toEqual(arms({ trial }));
});

test('a recorded session is as in shadow mode; a guarded one is as without a trial', () => {
  const [told, usual] = [show(failures(recorded), { trial }), show(failures(recorded), {})];
  expect(isActedOn(told)).toBe(false);
  expect(told.map(({ shadow }) => shadow)).toEqual(usual.map(({ plan }) => plan));
  const plans = (options: GuardOptions) => show(failures(guarded), options).map(({ plan }) => plan);
  expect(plans({ trial })).toEqual(plans({}));
  expect(isActedOn(show(failures(guarded), { trial }))).toBe(true);
});

test.each([
  ['an agent in it', recorded, { agent: 'helper' }],
  ['a session that reports to it', 'child', { parent: recorded }],
])('%s has the arm of the session', (_, session, about) => {
  const verdicts = show(failures(session, about), { trial });
  expect(isActedOn(verdicts)).toBe(false);
  // Only the session itself is a case of the trial.
  expect(verdicts.every(({ drawn }) => drawn === undefined)).toBe(true);
});

test('a session keeps its arm, whatever is changed while it runs', () => {
  const guard = createGuard({ trial });
  const events = failures(recorded);
  expect(guard.observe(events[0]!).drawn).toEqual({ trial: '50%', arm: 'recorded' });
  const later = createGuard({ trial: { share: 0, name: 'second' }, from: guard.snapshot() });
  const verdicts = show(events.slice(1), {}, later);
  expect(isActedOn(verdicts)).toBe(false);
  expect(verdicts.every(({ drawn }) => drawn === undefined)).toBe(true);
});

test('a name is cut, and secrets in it are masked', () => {
  const named = (name: string) =>
    show(failures('run'), { trial: { share: 0.5, name } })[0]!.drawn!.trial;
  expect(named('of spring')).toBe('of spring, 50%');
  expect(named(`key ${'sk-ant-api03-'}${'Ab3dEf6hIj'.repeat(4)}`)).not.toContain('Ab3dEf6hIj');
  expect(named('x'.repeat(500))).toBe(`${'x'.repeat(60)}, 50%`);
});

test('a session that began before the trial is in none', () => {
  const guard = createGuard();
  const events = failures(recorded);
  guard.observe(events[0]!);
  const later = createGuard({ trial: { share: 1 }, from: guard.snapshot() });
  expect(isActedOn(show(events.slice(1), {}, later))).toBe(true);
});

test('where nothing is done anyway, no session is drawn', () => {
  const verdicts = show(failures(guarded), { trial, shadow: true });
  expect(verdicts.every(({ drawn }) => drawn === undefined)).toBe(true);
});
