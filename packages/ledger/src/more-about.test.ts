import type { Plan } from '@unrut/engine/policy/plan';
import { expect, test } from 'vitest';
import { createMemoryLedger } from './memory.ts';
import { moreAbout } from './more-about.ts';
import { createRecorder } from './recorder.ts';

/** What a person reads along a loop, and what the ledger keeps of it. */
async function read(isShown: boolean) {
  const ledger = { ...createMemoryLedger(), ...(isShown ? { isShown: true as const } : {}) };
  const recorder = createRecorder(ledger);
  const plans: Plan[] = [];
  for (let i = 0; i < 12 && plans.at(-1)?.rung !== 'stop'; i++) {
    const call = { id: `c${i}`, tool: 'deploy', args: {} };
    const about = { session: 'a run/1 of many', at: 5000 * i, call };
    const proposed = await recorder.observe({ type: 'call-proposed', ...about });
    const refused = proposed.plan?.rung === 'block' ? { refusedBy: 'unrut' as const } : {};
    const finished = await recorder.observe({
      type: 'call-finished',
      ...about,
      error: 'Error: no certificate',
      ...refused,
    });
    plans.push(...[proposed.plan, finished.plan].filter((plan) => plan !== null));
  }
  const kept = (await ledger.entries({ kind: 'plan' })).map(({ data }) => String(data.toHuman));
  return { plans, kept };
}

test('where `unrut show` can show it, whoever is asked or reads why it ended is told so', async () => {
  const { plans, kept } = await read(true);
  for (const { rung, toHuman } of plans)
    expect(toHuman.endsWith(" (unrut show 'a run/1 of many')"), rung).toBe(
      rung === 'escalate' || rung === 'stop',
    );
  expect(plans.map(({ rung }) => rung)).toContain('stop');
  // Whoever reads it there is there already.
  expect(kept.join()).not.toContain('unrut show');
});

test('twin: where nothing can show it, nobody is sent there', async () => {
  const { plans } = await read(false);
  expect(plans.at(-1)!.rung).toBe('stop');
  expect(plans.map(({ toHuman }) => toHuman).join()).not.toContain('unrut');
});

test('a session is named so that the name stays unique: a random id by its beginning, others whole', () => {
  expect(moreAbout('3f2a91bc-1111-4111-8111-111111111111')).toBe('unrut show 3f2a91bc');
  expect(moreAbout('ses_e129aBcDeFgHiJkLmNoPqRsT')).toBe('unrut show ses_e129aBcDeFgHiJkLmNoPqRsT');
  expect(moreAbout('pw 2026-11-18 12:00')).toBe("unrut show 'pw 2026-11-18 12:00'");
  expect(moreAbout('019a8f00-1111-7111-8111-111111111111')).toContain('-8111-');
});
