import { createGuard } from '@unrut/engine/guard';
import { without } from '@unrut/engine/presets';
import { createMemoryLedger } from '@unrut/ledger/memory';
import { createRecorder } from '@unrut/ledger/recorder';
import { describe, expect, test } from 'vitest';
import { followMessages } from './messages/index.ts';

describe('options given together with a guard', () => {
  const guard = createGuard();

  test('of the guard itself are a type error, and an error that says where they belong', () => {
    const wrong = [
      // @ts-expect-error: a preset belongs to the guard.
      () => followMessages({ guard, preset: without('cycle') }),
      // @ts-expect-error: declarations of tools belong to the guard.
      () => followMessages({ guard, tools: { search: { poll: true } } }),
      // @ts-expect-error: no such option.
      () => followMessages({ guard, shadows: true }),
    ];
    for (const make of wrong)
      expect(make).toThrow(
        /expected only shadow, attended.*together with guard. Set .* where the guard/,
      );
  });

  test('that combine are taken, and those of `createGuard` without a guard', () => {
    const onPlan = () => {};
    followMessages({ guard, shadow: true, can: ['note'], attended: true, onPlan });
    followMessages({ preset: without('cycle'), tools: { search: { poll: true } } });
  });

  test('need a guard that can combine them, except for shadow', () => {
    const own = { observe: guard.observe };
    followMessages({ guard: own, shadow: true });
    expect(() => followMessages({ guard: own, can: ['note'] })).toThrow(/can: expected a guard/);
    expect(() => followMessages({ guard: own, attended: false })).toThrow(/attended: expected a/);
  });

  test('claim that a user is asked only if a function asks one', () => {
    expect(() => followMessages({ attended: true })).toThrow(/attended: expected `onPlan`/);
    expect(() => followMessages({ guard, attended: true })).toThrow(/attended: expected `onPlan`/);
    followMessages({ attended: false });
  });
});

describe('guard.with', () => {
  const looped = async (judge: Pick<ReturnType<typeof createRecorder>, 'observe'>) => {
    const plans: (string | undefined)[] = [];
    const shadows: (string | undefined)[] = [];
    for (let i = 0; i < 12; i++) {
      const call = { id: `c${i}`, tool: 'search', args: { q: 'foo' } };
      const about = { session: 's', at: 5000 * i, call };
      const before = await judge.observe({ ...about, type: 'call-proposed' });
      const isBlocked = before.plan?.rung === 'block';
      const after = await judge.observe({
        ...about,
        type: 'call-finished',
        at: 5000 * i + 1,
        ...(isBlocked ? { refusedBy: 'unrut' as const } : { result: 'Three pages, all alike.' }),
      });
      plans.push(before.plan?.rung, after.plan?.rung);
      shadows.push(before.shadow?.rung, after.shadow?.rung);
    }
    const named = (rungs: typeof plans) => [...new Set(rungs.filter((rung) => rung !== undefined))];
    return { plans: named(plans), shadows: named(shadows) };
  };
  const guards = {
    'a guard': () => createGuard() as never,
    'a recorder': () => createRecorder(createMemoryLedger()),
  };

  test.each(Object.entries(guards))('%s only records under shadow', async (_, make) => {
    const { plans, shadows } = await looped(make().with({ shadow: true }));
    expect([plans, shadows.length > 2]).toEqual([[], true]);
  });

  test.each(Object.entries(guards))('%s does only what both can', async (_, make) => {
    const { plans } = await looped(
      make()
        .with({ can: ['note', 'block'] })
        .with({ can: ['note'] }),
    );
    expect(plans).toEqual(['note']);
  });

  test.each(Object.entries(guards))('%s keeps its sessions under other rules', async (_, make) => {
    const guard = make();
    const call = (i: number) => ({ id: `c${i}`, tool: 'search', args: { q: 'foo' } });
    const finished = (i: number) =>
      ({
        type: 'call-finished',
        session: 's',
        at: 5000 * i,
        call: call(i),
        result: 'Three pages, all alike.',
      }) as const;
    await guard.observe(finished(0));
    await guard.with({ attended: false }).observe(finished(1));
    expect((await guard.observe(finished(2))).plan?.rung).toBe('note');
  });

  test('a guard that was made to record only cannot be made to act', async () => {
    const { plans } = await looped(createGuard({ shadow: true }).with({ shadow: false }) as never);
    expect(plans).toEqual([]);
  });

  test('an explicit word about whether somebody is asked wins over what is usual', async () => {
    const told = (guard: ReturnType<typeof createGuard>): boolean => {
      const texts: string[] = [];
      for (let i = 0; i < 12; i++) {
        const call = { id: `c${i}`, tool: 'search', args: { q: 'foo' } };
        const at = 5000 * i;
        const result = 'Three pages, all alike.';
        const { plan } = guard.observe({ type: 'call-finished', session: 's', at, call, result });
        texts.push(plan?.toModel ?? '');
      }
      return texts.join().includes('asks a human');
    };
    const usual = { attended: false };
    expect(told(createGuard())).toBe(true);
    expect(told(createGuard().with({}, usual))).toBe(false);
    expect(told(createGuard({ attended: true }).with({}, usual))).toBe(true);
    expect(told(createGuard({ attended: true }).with({ attended: false }, usual))).toBe(false);
  });
});
