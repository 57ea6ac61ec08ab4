import { RUNGS, type Rung } from '@unrut/engine/event';
import type { JsonObject } from '@unrut/engine/json';
import type { Plan } from '@unrut/engine/policy/plan';

/** The texts for the model and for the user. Neither is empty. */
export interface HookWords {
  toModel: string;
  toHuman: string;
}

/** The rungs that an answer to one kind of hook can perform, and how the answer is written. */
export interface HookMeans {
  does: readonly Rung[];
  /** The output for one of these rungs: JSON, or a text as it is. */
  say(rung: Rung, words: HookWords): JsonObject | string;
  /** With which exit code the host listens. Default: 0. */
  exitCode?: number;
  /** The host reads texts from standard error. */
  onStderr?: true;
}

/** The rungs that work after a call has finished or failed, if a hook can end a run. */
export const AFTER_CALL: readonly Rung[] = ['note', 'hint', 'escalate', 'stop'];

/** The rung on which a plan was performed, or the fact that none could be. */
export interface HookPerformed {
  plan: string;
  rung: Rung;
  failed?: true;
}

/** An answer before further events for the guard are known. */
export interface Composed {
  stdout?: JsonObject | string;
  stderr?: string;
  exitCode: number;
  performed: HookPerformed[];
}

/** Claude Code and Codex cut longer texts, Copilot cuts them, and Cursor drops them. */
const MAX_LENGTH = 10_000;

/**
 * One answer for all plans that one payload led to: the most forceful thing that was planned and
 * can be done, in the words of all.
 */
export function composeAnswer(plans: readonly Plan[], means: HookMeans | undefined): Composed {
  const performed = plans.map(({ id, rung }): HookPerformed => {
    const nearest = means && nearestRung(rung, means.does);
    return nearest ? { plan: id, rung: nearest } : { plan: id, rung, failed: true };
  });
  const done = plans.filter((_, i) => !performed[i]!.failed);
  if (!means || done.length === 0) return { exitCode: 0, performed };
  const rungs = performed.filter(({ failed }) => !failed).map(({ rung }) => RUNGS.indexOf(rung));
  const printed = means.say(RUNGS[Math.max(...rungs)]!, {
    toModel: joined(done.map(({ toModel, toHuman, reason }) => [toModel, toHuman, reason])),
    toHuman: joined(done.map(({ toModel, toHuman, reason }) => [toHuman, toModel, reason])),
  });
  const said = means.onStderr ? { stderr: String(printed) } : { stdout: printed };
  return { ...said, exitCode: means.exitCode ?? 0, performed };
}

/**
 * The rung itself, or the nearest lower one that is possible. A block applies to one call, so plans
 * about more than that are not lowered to it.
 */
function nearestRung(wanted: Rung, does: readonly Rung[]): Rung | undefined {
  return RUNGS.slice(0, RUNGS.indexOf(wanted) + 1).findLast(
    (rung) =>
      does.includes(rung) && (rung === wanted || (rung !== 'block' && rung !== 'substitute')),
  );
}

/** The first non-empty text of each kind. */
function joined(texts: readonly (readonly string[])[]): string {
  const text = texts
    .map((choices) => choices.find((choice) => choice.trim() !== '') ?? '')
    .join('\n\n');
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1).toWellFormed()}…`;
}
