import { existsSync, readFileSync } from 'node:fs';
import type { AgentEvent } from '@unrut/engine/event';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { expect, test } from 'vitest';
import { recordTo } from '../packages/cli/src/index.ts';
import { newPath } from './ledger-files.ts';
import { places, SECRETS } from './planted-secrets.ts';

test.each(Object.entries(SECRETS))(
  'no byte of the ledger’s files holds %s, wherever it was planted',
  async (_, secret) => {
    const path = newPath();
    const ledger = createSqliteLedger({ path });
    const guard = recordTo(ledger);
    for (const [session, place] of Object.entries(places)) {
      for (let i = 1; i <= 8; i++)
        await guard.observe({ session, at: i * 5000, ...place(secret, i) } as AgentEvent);
    }
    expect(await ledger.sessions()).toHaveLength(Object.keys(places).length);
    expect(
      (await ledger.entries({ kind: 'plan' })).length,
      'it must loop, or nothing is written of it',
    ).toBeGreaterThan(10);
    const files = [path, `${path}-wal`, `${path}-shm`];
    expect(files.map((file) => existsSync(file))).toEqual([true, true, true]);
    for (const file of files) expect(readFileSync(file, 'latin1')).not.toContain(secret);
    await ledger.close();
    expect(readFileSync(path, 'latin1')).toContain('lookup');
    expect(readFileSync(path, 'latin1')).not.toContain(secret);
  },
);
