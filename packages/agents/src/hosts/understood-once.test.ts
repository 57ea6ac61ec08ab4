import { createMemoryLedger } from '@unrut/ledger/memory';
import { HOSTS, type Payload } from '@unrut/test/hosts/hook-process';
import { LOOPING } from '@unrut/test/hosts/looping-host';
import { expect, it } from 'vitest';
import { answerHook } from '../hook/answer-hook.ts';
import { LOOP } from './fixtures/looping-host.ts';

/** A payload that counts how often its call's arguments are read. */
function watched(payload: Payload): { payload: Payload; asked: () => number } {
  let count = 0;
  const watch = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    return new Proxy(value, {
      get(target, key) {
        const inside: unknown = Reflect.get(target, key);
        if (inside === LOOP.args) count++;
        return watch(inside);
      },
    });
  };
  return { payload: watch(payload) as Payload, asked: () => count };
}

it.each(HOSTS)(
  'one hook call of %s reads its payload once, to recognise, record and answer it',
  async (host) => {
    const ledger = createMemoryLedger();
    const { before, after } = LOOPING[host];
    for (let n = 1; n <= 4; n++) {
      for (const each of [before(n), ...after(n)]) {
        const { payload, asked } = watched(each);
        await answerHook(payload, {
          environment: {},
          ledger,
          settings: { guard: {} },
          at: 1_794_800_000_000 + 5000 * n,
        });
        expect(asked()).toBe(1);
      }
    }
  },
);
