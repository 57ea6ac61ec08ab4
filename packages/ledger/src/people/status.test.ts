import { expect, test } from 'vitest';
import { loadSettings } from '../config/load-settings.ts';
import { createMemoryLedger } from '../memory.ts';
import { createRecorder } from '../recorder.ts';
import { statusText } from './status.ts';

/** A session that loops until it is stopped, and its status after each step. */
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
  return { recorder, status: () => statusText(ledger, settings, '/', 's', 2_000_000) };
}

test('the status line says that a run was stopped, until the user speaks again', async () => {
  const { recorder, status } = await stoppedSession();
  expect(await status()).toMatch(/, stopped/);
  await recorder.observe({ type: 'user-spoke', session: 's', at: 1_000_000, text: 'Go on.' });
  expect(await status()).not.toMatch(/stopped|blocked/);
});

const DAY = 86_400_000;
const NOW = 1_794_800_000_000;

/** The status of a session in a ledger with another session that many days ago. */
async function statusAfter(days: number, { isLoop = false, falseAlarms = [] as number[] } = {}) {
  const ledger = createMemoryLedger();
  const recorder = createRecorder(ledger);
  for (let i = 0; i < 4; i++) {
    const call = { id: `c${i}`, tool: 'deploy', args: isLoop ? {} : { to: `place-${i}` } };
    const about = { session: 'old', at: NOW - days * DAY + 5000 * i, call };
    await recorder.observe({ type: 'call-proposed', ...about });
    const error = isLoop ? { error: 'Error: no certificate' } : { result: `done ${i}` };
    await recorder.observe({ type: 'call-finished', ...about, ...error });
  }
  const { settings } = loadSettings({ cwd: '/', home: '/nowhere', environment: {} });
  const forgiven = falseAlarms.map((ago) => ({
    label: 'deploy',
    times: 1,
    silent: false,
    at: NOW - ago * DAY,
  }));
  const said = { ...settings.said, forgiven };
  return statusText(ledger, { ...settings, said }, '/', 'new', NOW);
}

test.each([
  [0.5, {}, 'Unrut: quiet'],
  [1.5, {}, 'Unrut: quiet; 1 day: no loops, 0 false alarms'],
  [7.5, {}, 'Unrut: quiet; 7 days: no loops, 0 false alarms'],
  [20, {}, 'Unrut: quiet; 7 days: no loops, 0 false alarms'],
  [20, { isLoop: true }, 'Unrut: quiet; 7 days: no loops, 0 false alarms'],
  [2.9, { isLoop: true }, 'Unrut: quiet; 2 days: loops in 1 session, 0 false alarms'],
  [7, { isLoop: true }, 'Unrut: quiet; 7 days: loops in 1 session, 0 false alarms'],
  [
    7,
    { isLoop: true, falseAlarms: [2, 9] },
    'Unrut: quiet; 7 days: loops in 1 session, 1 false alarm',
  ],
])('after %s days %j, a quiet session shows how the week went', async (days, how, line) => {
  expect(await statusAfter(days, how)).toBe(line);
});
