import { stateOf } from '@unrut/ledger/figures/session-figures';
import type { Escalation } from '@unrut/ledger/notify/notify';
import type { SessionRow, SessionsQuery, SessionsReport } from '@unrut/ledger/reports/reports';
import { STALL_LIMITS, type Stall } from '@unrut/ledger/reports/stall';
import { expect, test } from 'vitest';
import { createStallTeller } from './tell-stalls.ts';

const START = 1_760_000_000_000;
const MINUTE = 60_000;

/** A teller with a fake clock, over sessions with these stalls. */
function telling(stalls: Record<string, Stall | undefined>) {
  let now = START;
  const told: Escalation[] = [];
  const look = createStallTeller({
    reports: {
      sessions: async ({ states }: SessionsQuery) => {
        const sessions = Object.entries(stalls).flatMap(([session, stall]) => {
          const row = {
            session,
            host: 'codex',
            ended: false,
            looping: false,
            last: 0,
            ...(stall ? { stall } : {}),
          };
          return states?.includes(stateOf(row, now)) ? [row as unknown as SessionRow] : [];
        });
        return { sessions } as SessionsReport;
      },
    },
    settings: { stall: STALL_LIMITS },
    now: () => now,
    tell: (_, escalation) => void told.push(escalation),
  });
  return {
    stalls,
    told,
    async at(minute: number): Promise<string[]> {
      now = START + minute * MINUTE;
      await look();
      return told.splice(0).map(({ session, plan }) => `${session}: ${plan.toHuman}`);
    },
  };
}

test('a call that is open for too long is reported once, and so is the next one', async () => {
  const open = (minute: number): Stall => ({
    of: 'call',
    since: START + minute * MINUTE,
    call: 'fetch figures.example',
  });
  const teller = telling({ one: open(1), two: undefined });
  expect(await teller.at(15)).toEqual([]);
  expect(await teller.at(17)).toEqual([
    'one: Unrut: the session stalls: the call `fetch figures.example` has been open for 16 minutes: it hangs, or waits for a permission.',
  ]);
  expect(await teller.at(18)).toEqual([]);
  expect(await teller.at(60)).toEqual([]);
  teller.stalls.one = open(61);
  expect(await teller.at(62)).toEqual([]);
  expect(await teller.at(80)).toHaveLength(1);
});

test('what had stalled before it began is no news', async () => {
  const teller = telling({ old: { of: 'silence', since: START - 60 * MINUTE } });
  expect(await teller.at(1)).toEqual([]);
});
