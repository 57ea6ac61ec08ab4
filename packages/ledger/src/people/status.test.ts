import { expect, test } from 'vitest';
import { loadSettings } from '../config/load-settings.ts';
import { createMemoryLedger } from '../memory.ts';
import { createRecorder } from '../recorder.ts';
import { statusText } from './status.ts';

/** A session that loops until it is stopped, and the status after each step. */
async function stoppedSession() {
  const ledger = createMemoryLedger();
  const recorder = createRecorder(ledger);
  const { settings } = loadSettings({ cwd: '/', home: '/nowhere', environment: {} });
  let last: string | undefined;
  for (let i = 0; i < 15 && last !== 'stop'; i++) {
    const call = { id: `c${i}`, tool: 'deploy', args: {} };
    const about = { session: 's', at: 5000 * i, call };
    const proposed = await recorder.observe({ type: 'call-proposed', ...about });
    const refused = proposed.plan?.rung === 'block' ? { refusedBy: 'unrut' as const } : {};
    const finished = await recorder.observe({
      type: 'call-finished',
      ...about,
      error: 'Error: no certificate',
      ...refused,
    });
    const plan = finished.plan ?? proposed.plan;
    last = plan?.rung;
    if (plan?.rung === 'stop')
      await recorder.observe({
        type: 'plan-performed',
        session: 's',
        at: 5000 * i + 1,
        plan: plan.id,
        rung: 'stop',
      });
  }
  return { recorder, status: () => statusText(ledger, settings, '/', 's') };
}

test('the status line says that a run was stopped, until the user speaks again', async () => {
  const { recorder, status } = await stoppedSession();
  expect(await status()).toMatch(/, stopped/);
  await recorder.observe({ type: 'user-spoke', session: 's', at: 1_000_000, text: 'Go on.' });
  expect(await status()).not.toMatch(/stopped|blocked/);
});
