import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { momentsOf } from '@unrut/testing/trace';
import { expect, test } from 'vitest';
import { recordTo } from '../../packages/cli/src/index.ts';
import { bundledPrograms } from '../bundled-programs.ts';
import { newFolder } from '../ledger-files.ts';

const RUN = [
  'browser_snapshot {} -> "### Page\\n- Page Title: Shop\\n- button \\"Save\\" [ref=e12]"',
  'browser_click {"element":"Save","ref":"e12"} -> error "Error: Ref e12 not found in the current page snapshot."',
  'browser_snapshot {} -> "### Page\\n- Page Title: Shop\\n- button \\"Save\\" [ref=e22]"',
  'browser_click {"element":"Save","ref":"e22"} -> "### Page\\n- Page Title: Saved\\n- text: Three lamps are on their way to you"',
];

const { cli } = bundledPrograms();

async function record(home: string): Promise<void> {
  const ledger = createSqliteLedger({ path: join(home, 'ledger.db') });
  const guard = recordTo(ledger, { hintFailures: true });
  let at = Date.now() - 600_000;
  for (const session of ['one', 'two', 'three'])
    for (const event of momentsOf(RUN).flatMap(({ events }) => events)) {
      at += 5000;
      await guard.observe({ ...event, session, at });
    }
  await ledger.close();
}

test('unrut stats --recoveries shows what works, from a real ledger, and learns again on request', async () => {
  const home = newFolder();
  const env = { ...process.env, UNRUT_HOME: home, NO_COLOR: '1' };
  const stats = (...options: string[]): string =>
    execFileSync(process.execPath, [cli, 'stats', '--recoveries', ...options], {
      env,
      cwd: home,
      encoding: 'utf8',
    });
  expect(stats()).toMatch(/^No suggestions yet/);
  await record(home);
  const [head, first] = stats().split('\n');
  expect(head!.split(/ {2,}/)).toEqual([
    'after',
    'of',
    'candidate',
    'offered',
    'followed',
    'recovered',
    'reward',
    'weight',
  ]);
  expect(first!.split(/ {2,}/)).toEqual([
    'stale-reference',
    'page',
    'look-afresh',
    '3',
    '3',
    '100%',
    '1.00',
    '0.80',
  ]);
  expect(JSON.parse(stats('--json')).recoveries[0]).toMatchObject({
    move: 'look-afresh',
    followed: 3,
    recovered: 3,
    share: 0.8,
  });
  expect(stats('--reset')).toMatch(/Learning starts over/);
  expect(stats()).toMatch(/^No suggestions yet/);
});
