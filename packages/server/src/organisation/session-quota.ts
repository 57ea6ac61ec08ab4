import { UnrutError } from '@unrut/engine/errors';
import type { Ledger } from '@unrut/ledger/ledger';
import type { OrganisationStore } from '@unrut/ledger/organisation';

/** An owner with a daily quota of new sessions. */
export interface SessionQuota {
  /** In the words of a refusal. */
  of: string;
  most: number;
  /** Undefined: the whole organisation. */
  project?: number | undefined;
}

/** Characters that occur only in the names of a session's additional states. */
const BESIDE = '\u0001';

/**
 * A ledger that refuses new sessions beyond the daily quota; running ones continue. New sessions
 * are recorded one at a time, so that the count is exact.
 */
export function withSessionQuota(
  ledger: Ledger,
  store: Pick<OrganisationStore, 'today'>,
  quotas: () => Promise<readonly SessionQuota[]>,
): Ledger {
  let turn: Promise<unknown> = Promise.resolve();

  async function isNew(session: string): Promise<boolean> {
    return (
      session !== '' && !session.includes(BESIDE) && (await ledger.loadState(session)) === null
    );
  }

  async function checkRoom(sessions: number): Promise<void> {
    for (const { of, most, project } of await quotas()) {
      const { sessions: today } = await store.today(project);
      if (today + sessions > most)
        throw new UnrutError(
          'over-quota',
          `The quota of ${most} new sessions a day of ${of} is used up. Nothing was accepted; sessions that run go on.`,
        );
    }
  }

  return {
    ...ledger,
    async update(sessions, change, how) {
      const asked = (await quotas()).length > 0 ? sessions : [];
      const begun = await Promise.all(asked.map(isNew));
      const count = begun.filter(Boolean).length;
      if (count === 0) return ledger.update(sessions, change, how);
      const mine = turn.then(async () => {
        await checkRoom(count);
        return ledger.update(sessions, change, how);
      });
      turn = mine.catch(() => undefined);
      return mine;
    },
  };
}
