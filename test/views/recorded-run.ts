import { answerHook } from '@unrut/agents/hook/answer-hook';
import type { HostName } from '@unrut/agents/hosts';
import type { Ledger } from '@unrut/ledger/ledger';
import { LOOPING, type LoopingHost } from '../hosts/looping-host.ts';

export interface Run {
  session: string;
  host?: HostName;
  /** How often the agent makes the failing call. */
  tries?: number;
  /** Epoch milliseconds of the first hook; each comes a second after the one before. */
  at?: number;
  shadow?: boolean;
}

/**
 * An agent that makes the same failing call again and again, as its hooks tell of it. A refused
 * call is not made.
 */
export async function recordLoop(
  ledger: Ledger,
  { session, host = 'claude-code', tries = 6, at = Date.now(), shadow = false }: Run,
): Promise<void> {
  const { before, after, afterRefusal, refuses }: LoopingHost = LOOPING[host];
  let time = at;
  const tell = async (payload: object): Promise<string> => {
    const told = { ...payload, session_id: session };
    const { stdout } = await answerHook(told, {
      environment: {},
      ledger,
      settings: { guard: { shadow } },
      at: time,
    });
    time += 1000;
    return stdout;
  };
  for (let n = 1; n <= tries; n++) {
    const answer = await tell(before(n));
    const refused = answer !== '' && refuses!(JSON.parse(answer) as Record<string, unknown>);
    for (const payload of refused ? (afterRefusal?.(n) ?? []) : after(n)) await tell(payload);
  }
}
