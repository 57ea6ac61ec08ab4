import { UnrutError } from '@unrut/engine/errors';
import type { Ledger } from '@unrut/ledger/ledger';
import type { OrganisationStore } from '@unrut/ledger/organisation';

/** Whoever has a quota of sessions that may begin in a day. */
export interface SessionQuota {
  /** In the words of a refusal. */
  of: string;
  most: number;
  /** Undefined: the whole organisation. */
  project?: number | undefined;
}

/** Characters that occur only in the names of additional states of a session. */
const BESIDE = '\u0001';

/**
 * A ledger in which no more sessions begin than may in a day; those that run go on. New ones take
 * turns, so that none is counted late.
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
