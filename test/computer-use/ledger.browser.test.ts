import { screenGuardOptions } from '@unrut/computer-use';
import { describeAction } from '@unrut/computer-use/action';
import { replayPage } from '@unrut/computer-use/replay-page';
import { expect, it } from 'vitest';
import { createMemoryLedger, recordTo } from '../../packages/cli/src/index.ts';
import { done, type Script, useSite } from './drive.ts';

const site = useSite();
const plan = { values: [{ label: 'Customer number', value: '48151623' }] };
const fills: Script = ({ view, click }) =>
  view.url.includes('/saved') ? done() : click(view.pending.length > 0 ? '#x1' : '#save');

it('a forced action is a plan on the rung `substitute`, with its outcome, and the replay page leads to it', async () => {
  const ledger = createMemoryLedger();
  const guard = recordTo(ledger, screenGuardOptions());
  const result = await site.run('/odd-label', fills, { plan, guard, allow: ['loop-recovery'] });
  expect(result.loop_recoveries_by_reason).toEqual({ type_pending_value: 1 });
  await guard.observe({ type: 'session-ended', session: 'screen', at: Date.now() });
  const entries = await ledger.entries();
  const forced = entries.filter(
    ({ kind, data }) =>
      kind === 'plan' && (data as { recovery?: string }).recovery === 'force-action',
  );
  expect(forced).toHaveLength(1);
  expect(forced[0]!.data).toMatchObject({ rung: 'substitute' });
  expect(entries.some(({ kind }) => kind === 'outcome')).toBe(true);
  const { step } = result.trajectory.find(({ gate }) => gate !== '')!;
  const page = await site.open('/saved');
  await page.setContent(replayPage(result));
  const leads = (words: string): Promise<string | null> =>
    page.locator('p', { hasText: words }).locator('a').first().getAttribute('href');
  expect(await leads('Jump to what was forced')).toBe(`#step-${step}`);
  expect(await leads('It looped at')).toMatch(/^#step-\d+$/);
});

it('twin: where nothing is allowed, no such plan is made', async () => {
  const ledger = createMemoryLedger();
  await site.run('/odd-label', fills, {
    plan,
    guard: recordTo(ledger, screenGuardOptions()),
    maxSteps: 5,
  });
  const entries = await ledger.entries();
  expect(
    entries.filter(
      ({ kind, data }) => kind === 'plan' && (data as { rung?: string }).rung === 'substitute',
    ),
  ).toEqual([]);
});

it('of what was typed the page shows the same length as the trajectory, and events tell nothing of short texts', async () => {
  const seen: { action?: { text?: string; digest?: string } }[] = [];
  const recorder = recordTo(createMemoryLedger(), screenGuardOptions());
  const guard = {
    observe(event: object) {
      seen.push(event);
      return recorder.observe(event as never);
    },
  };
  const texts = ['1234', 'a longer text', 'a longer text'];
  const type = ({ view, click }: Parameters<Script>[0]) =>
    view.step === 0
      ? click('#x1')
      : view.step <= texts.length
        ? { action: { type: 'type_text' as const, text: texts[view.step - 1]! } }
        : done();
  const run = () => site.run('/odd-label', type, { guard: guard as never, off: ['done-gate'] });
  const [first, second] = [await run(), await run()];
  const page = replayPage(first);
  expect(page).toContain('type &lt;value:4 chars&gt;');
  expect(page).toContain(
    describeAction(first.trajectory[2]!.action).replace('<', '&lt;').replace('>', '&gt;'),
  );
  expect(second.termination_reason).toBe('done');
  const typed = seen.flatMap(({ action }) => (action?.text?.startsWith('<value') ? [action] : []));
  expect(
    typed
      .filter(({ text }) => text === '<value:4 chars>')
      .every(({ digest }) => digest === undefined),
  ).toBe(true);
  // Equal within a run, and unlike in another.
  expect(
    new Set(typed.filter(({ text }) => text === '<value:13 chars>').map(({ digest }) => digest))
      .size,
  ).toBe(2);
});
