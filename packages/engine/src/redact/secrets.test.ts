import { createMemoryLedger } from '@unrut/ledger/memory';
import { createRecorder as recordTo } from '@unrut/ledger/recorder';
import { places, SECRETS } from '@unrut/test/planted-secrets';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../event.ts';
import { createGuard } from '../guard.ts';

describe.each(Object.entries(places))('a secret in %s', (_, place) => {
  test.each(Object.entries(SECRETS))(
    'reaches no signal, plan, snapshot or ledger: %s',
    async (_, secret) => {
      const ledger = createMemoryLedger();
      const recorded = recordTo(ledger);
      const guard = createGuard();
      let said = '';
      let raised = 0;
      for (let i = 1; i <= 8; i++) {
        const event = { session: 's', at: i * 5000, ...place(secret, i) } as AgentEvent;
        const { signals, plan, outcomes, faults } = guard.observe(event);
        raised += signals.length;
        said += JSON.stringify([signals, plan, outcomes, faults]);
        await recorded.observe(event);
      }
      const kept = JSON.stringify([
        guard.snapshot(),
        await ledger.entries(),
        await ledger.loadState('s'),
      ]);
      expect(raised, 'it must loop, or nothing is shown').toBeGreaterThan(0);
      expect(said).not.toContain(secret);
      expect(kept).not.toContain(secret);
    },
  );
});
