import { type AccountState, readAccount } from '@unrut/engine/account/account';
import type { LoopColumns } from './session-figures.ts';

/** A step of an agent. */
export const placeOf = ({ agent = '', step }: { agent?: string; step: number }): string =>
  `${step} ${agent}`;

/** The tools called at the steps at which the account's loops were noticed. */
export const calledIn = (
  account: AccountState,
  calledAt: ReadonlyMap<string, string>,
): [place: string, tool: string][] =>
  account.threads.flatMap(([agent, { stretches }]) =>
    stretches.flatMap(({ firedAt }): [place: string, tool: string][] => {
      const place = placeOf({ agent, step: firedAt });
      const tool = calledAt.get(place);
      return tool ? [[place, tool]] : [];
    }),
  );

/**
 * The rows of all loops in the account, without advice. If advice overlapped a loop that continued
 * without it, the row of both is deleted.
 */
export function loopRows(
  account: AccountState,
  calledAt: ReadonlyMap<string, string>,
): LoopColumns[] {
  const { loops } = readAccount(account);
  return loops.flatMap((loop) => {
    const { advice, stretches, agent = '', at, firedAt, detector, tried, ending, wasted } = loop;
    if (advice) return [];
    const id = Math.min(...stretches);
    return {
      id,
      agent,
      at,
      detector: detector ?? '',
      ending,
      also: [
        ...stretches.filter((each) => each !== id),
        ...loops.flatMap((other) =>
          other.advice && other.agent === loop.agent ? other.stretches : [],
        ),
      ],
      tool: calledAt.get(placeOf({ agent, step: firedAt })) || null,
      wasted_steps: wasted.steps,
      wasted_tokens: wasted.tokens,
      wasted_usd: wasted.usd,
      recovery: tried?.recovery ?? null,
      rung: tried?.rung ?? null,
    };
  });
}
