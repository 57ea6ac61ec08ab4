import type { AgentEvent } from '@unrut/engine/event';
import { redact } from '@unrut/engine/redact/redact';
import { attemptWords } from '@unrut/engine/text/attempt-words';
import { whatHappened } from '@unrut/ledger/views/what-happened';
import { excerpt } from '../scan/excerpt.ts';
import type { ExplainedStep } from './follow.ts';
import type { StepBrought } from './report.ts';

const SAID = 100;
/** As much of an error as `whatHappened` quotes. */
const MAX_MESSAGE_LENGTH = 60;

/** A step in words, and its result. */
export function stepBrought({ step, event, seen }: ExplainedStep): StepBrought {
  const { what, brought } = attempted(event) ??
    whatHappened(seen) ?? { what: seen.call?.label ?? event.type, brought: 'no result known' };
  const said =
    event.type === 'text-added' ? excerpt(event.text.replace(/\s+/g, ' ').trim(), SAID) : '';
  const verb = event.type === 'text-added' && event.channel === 'thinking' ? 'thinks' : 'says';
  return {
    step,
    what: said === '' ? what : `${verb} “${said}”`,
    brought: inParticular(seen) ?? messageLast(brought, seen.result?.error?.label),
    ...(seen.result?.known ? { novelty: Math.round(seen.result.novelty * 100) / 100 } : {}),
    ...(seen.progress ? { progress: seen.progress } : {}),
    ...(seen.progressRule ? { progressRule: seen.progressRule } : {}),
    ...(seen.neutral ? { neutral: seen.neutral } : {}),
    ...(seen.neutralRule ? { neutralRule: seen.neutralRule } : {}),
    ...(seen.world ? { world: seen.world.world, rule: seen.world.rule } : {}),
  };
}

/** Whether a poll's answer differed from the last one, even if all of its lines were known. */
const pollsOtherwise = ({ neutral, result }: ExplainedStep['seen']): boolean =>
  neutral === 'poll' && result?.differs === true;

/** The rule that decides how a step counts, apart from the novelty of its result. */
function inParticular(seen: ExplainedStep['seen']): string | undefined {
  if (pollsOtherwise(seen)) return 'polling, and another answer than the last time';
  return seen.call?.region?.unchanged && !seen.result?.error
    ? 'replaced a text by the same text'
    : undefined;
}

/** Puts the message last, since a long one would hide the rest of the result. */
function messageLast(brought: string, message: string | undefined): string {
  const failed = `failed: ${message?.slice(0, MAX_MESSAGE_LENGTH)}`;
  return message !== undefined && brought.startsWith(`${failed}, `)
    ? `${brought.slice(failed.length + 2)}, ${failed.trimEnd()}`
    : brought;
}

/** The result of an attempt at a task, in its own words. */
function attempted(event: AgentEvent): { what: string; brought: string } | null {
  if (event.type !== 'task-attempted') return null;
  const { what, brought } = attemptWords(event);
  return { what: redact(what), brought: redact(brought) };
}

/** Progress: something new, or an attempt at a task that produced work or finished it. */
export const wentForward = ({ event, seen }: ExplainedStep): boolean =>
  Boolean(seen.progress) ||
  (event.type === 'task-attempted' && (event.status === 'done' || event.work.length > 0));
