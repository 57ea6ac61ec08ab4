import { sessionFiguresOf } from '@unrut/ledger/figures/count-session';
import { createMemoryLedger } from '@unrut/ledger/memory';
import { createRecorder } from '@unrut/ledger/recorder';
import { describe, expect, test } from 'vitest';
import { playSession } from './demo.ts';
import { DEMO_SESSIONS } from './demo-sessions.ts';

const AT = 1_794_800_000_000;

async function played(folder: string) {
  const ledger = createMemoryLedger();
  const recorder = createRecorder(ledger, { can: ['note', 'hint', 'block', 'escalate', 'stop'] });
  let at = AT;
  await playSession(
    recorder,
    DEMO_SESSIONS.find((each) => each.folder === folder)!,
    's',
    async () => {
      at += 5000;
      return at;
    },
  );
  return sessionFiguresOf('s', await ledger.entries({ session: 's' }));
}

describe('the sessions of the demo', () => {
  test('have one that takes no advice, and is stopped', async () => {
    const { loops, highest, wasted, host } = await played('shop');
    expect({ loops, highest, host }).toEqual({ loops: 1, highest: 'stop', host: 'claude-code' });
    expect(wasted.steps).toBeGreaterThan(20);
  });

  test.each(['search-api', 'docs-site', 'billing'])(
    'have some that get out once they are told: %s',
    async (folder) => {
      const { loops, plans, ended, wasted } = await played(folder);
      expect({ loops, ended }).toEqual({ loops: 1, ended: true });
      expect(plans).toBeGreaterThan(0);
      expect(wasted.steps).toBeLessThan(20);
    },
  );

  test('have one that works without a loop', async () => {
    expect(await played('mobile')).toMatchObject({ loops: 0, plans: 0, wasted: { steps: 0 } });
  });
});
