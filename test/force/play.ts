import type { AgentEvent, RefusedBy, Rung } from '@unrut/engine/event';
import { createGuard, type GuardOptions, type Verdict } from '@unrut/engine/guard';
import { present } from '@unrut/engine/json';

/** One call of an agent, and what came back. */
export interface Turn {
  tool?: string;
  args?: unknown;
  /** A shell command; `tool` is then `Bash`. */
  run?: string;
  result?: unknown;
  error?: unknown;
  exitCode?: number;
  /** The call did not run. */
  refusedBy?: RefusedBy;
  /** Seconds before the call is proposed. Default: the play's. */
  after?: number;
  /** The files that the host reports as changed. */
  changed?: string[];
}

export interface Play {
  turns: readonly Turn[];
  attended?: boolean;
  /** Seconds between the end of a call and the next proposal. */
  every?: number;
  /** Seconds of these that the model is known to have taken. */
  modelSeconds?: number;
  prompt?: string;
  options?: GuardOptions;
}

/** A plan and the number of the call (from 1) at which it was made. */
export interface Act {
  call: number;
  rung: Rung;
  text: string;
  byPrice: boolean;
  reason: string;
}

/** The guard's plans for an agent that ignores everything until it is stopped. */
export interface Played {
  acts: Act[];
  /** Verdicts of the finished calls. */
  verdicts: Verdict[];
  stoppedAt: number | null;
}

/** Plays calls to a guard as a host would: blocked calls do not run, and a stop ends the run. */
export function play({
  turns,
  attended = true,
  every = 2,
  modelSeconds,
  prompt,
  options,
}: Play): Played {
  const guard = createGuard({ attended, ...options });
  const acts: Act[] = [];
  const verdicts: Verdict[] = [];
  let at = 1_700_000_000_000;
  const see = (call: number, event: AgentEvent): Rung | undefined => {
    const verdict = guard.observe(event);
    if (verdict.faults.length > 0) throw new Error(JSON.stringify(verdict.faults));
    if (event.type === 'call-finished') verdicts.push(verdict);
    const { plan } = verdict;
    if (plan)
      acts.push({
        call,
        rung: plan.rung,
        text: plan.toModel,
        byPrice: plan.byPrice === true,
        reason: plan.reason,
      });
    return plan?.rung;
  };
  if (prompt !== undefined) see(0, { type: 'user-spoke', session: 's', at, text: prompt });
  for (const [i, turn] of turns.entries()) {
    at += (turn.after ?? every) * 1000;
    const call = {
      id: `c${i}`,
      tool: turn.tool ?? 'Bash',
      args: turn.args ?? (turn.run === undefined ? {} : { command: turn.run }),
    };
    const base = { session: 's', batch: `b${i}`, call };
    const proposed = see(i + 1, {
      type: 'call-proposed',
      at,
      ...base,
      ...(modelSeconds === undefined ? {} : { modelMs: modelSeconds * 1000 }),
      ...(turn.changed ? { changed: turn.changed } : {}),
    });
    if (proposed === 'stop') return { acts, verdicts, stoppedAt: i + 1 };
    at += 50;
    const after = see(
      i + 1,
      proposed === 'block'
        ? { type: 'call-finished', at, ...base, refusedBy: 'unrut' }
        : {
            type: 'call-finished',
            at,
            ...base,
            ...('result' in turn ? { result: turn.result } : {}),
            ...('error' in turn ? { error: turn.error } : {}),
            ...present({ exitCode: turn.exitCode, refusedBy: turn.refusedBy }),
          },
    );
    if (after === 'stop') return { acts, verdicts, stoppedAt: i + 1 };
  }
  return { acts, verdicts, stoppedAt: null };
}

export const times = (count: number, turn: Turn | ((i: number) => Turn)): Turn[] =>
  Array.from({ length: count }, (_, i) => (typeof turn === 'function' ? turn(i) : turn));

/** The acts above advice: blocks, questions to a human, stops. */
export const force = ({ acts }: Played): string[] =>
  acts
    .filter(({ rung }) => rung !== 'note' && rung !== 'hint')
    .map(({ call, rung }) => `${call} ${rung}`);
export const blocksAndStops = (played: Played): string[] =>
  force(played).filter((act) => !act.endsWith('escalate'));
