import type { Plan } from '@unrut/engine/policy/plan';
import { expect, test } from 'vitest';
import { createMemoryLedger } from './memory.ts';
import { moreAbout, toOperator } from './more-about.ts';
import { createRecorder } from './recorder.ts';
import { nameAlone } from './reports/session-name.ts';

/** The text a user reads about a loop, and the text that the ledger stores. */
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

test('if `unrut show` can show it, questions and reasons for a stop name the command', async () => {
  const { plans, kept } = await read(true);
  for (const plan of plans) {
    expect(toOperator(plan).endsWith(" (unrut show 'a run/1 of many')"), plan.rung).toBe(
      plan.rung === 'escalate' || plan.rung === 'stop',
    );
    // End users do not have this command.
    expect(plan.toHuman).not.toContain('unrut show');
  }
  expect(plans.map(({ rung }) => rung)).toContain('stop');
  // Readers of these entries already see the session.
  expect(kept.join()).not.toContain('unrut show');
});

test('twin: where nothing can show it, nobody is sent there', async () => {
  const { plans } = await read(false);
  expect(plans.at(-1)!.rung).toBe('stop');
  expect(plans.map(({ toHuman }) => toHuman).join()).not.toContain('unrut');
});

test.each([
  ['run-202611181206-5fc58c', 'run-202611181207-05e7dd'],
  ['playwright 2026-11-18T12:06:01', 'playwright 2026-11-18T12:06:02'],
  ['ses_e129c0ffee', 'ses_e129badcafe'],
  ['0193f3a2-7b1c-7e2d-8f3a-1b2c3d4e5f60', '0193f3a2-7b1d-7a10-9c3a-5e6f70819203'],
])('the command for %j does not also name %j', (one, other) => {
  expect(moreAbout(one)).not.toBe(moreAbout(other));
  expect(other.startsWith(nameAlone(one))).toBe(false);
});

test('twin: of a random UUID the beginning is enough', () => {
  expect(moreAbout('3f2a91bc-1c2d-4e5f-8a9b-0c1d2e3f4a5b')).toBe('unrut show 3f2a91bc-1c2d');
});
