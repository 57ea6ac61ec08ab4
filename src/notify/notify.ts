import { spawn } from 'node:child_process';
import type { NotifySettings } from '../config/settings.ts';
import type { Plan } from '../policy/plan.ts';
import { MARKS } from '../processes/marks.ts';
import { redact } from '../redact/redact.ts';
import { cut, printable } from '../text/printable.ts';
import { type Delivery, deliver } from './deliver.ts';

/** What is told to a person who is not looking. */
export interface Escalation {
  /** The plan that asks for a person. */
  plan: Pick<Plan, 'rung' | 'reason' | 'recovery' | 'toHuman' | 'target'>;
  session: string;
  /** The host that the agent runs in. */
  host?: string;
  /** Epoch milliseconds. */
  at: number;
}

/** Long enough for a slow chat server, short enough that nothing piles up. */
const MOST_MILLISECONDS = 10_000;
/** What chat programs and desktops show in one piece. */
const LONGEST_TEXT = 500;

/**
 * Tells of an escalation by the user's command and webhook. Never throws, never waits:
 * a process of its own does it, which outlives this one and ends after ten seconds at the latest.
 */
export function notify(settings: NotifySettings | undefined, escalation: Escalation, milliseconds: number = MOST_MILLISECONDS): void {
  const { command, webhook } = settings ?? {};
  if (command === undefined && webhook === undefined) return;
  try {
    const delivery: Delivery = { command, webhook, milliseconds, ...messageOf(escalation) };
    // In the environment, as others may read what stands in the arguments of a process. Without the marks, as it outlives the agent.
    const { [MARKS.run]: _run, [MARKS.process]: _process, ...environment } = process.env;
    const env = { ...environment, UNRUT_DELIVERY: JSON.stringify(delivery) };
    const child = spawn(process.execPath, ['--eval', `(${deliver})()`], { env, detached: true, stdio: 'ignore', windowsHide: true });
    child.on('error', () => {});
    child.unref();
  } catch {
    // The agent goes on, told or not.
  }
}

function messageOf({ plan, session, host, at }: Escalation): Pick<Delivery, 'text' | 'body'> {
  const { rung, reason, recovery, target } = plan;
  const clean = (text: string): string => cut(printable(redact(text)).trim(), LONGEST_TEXT);
  const text = clean(`Unrut${host ? `, ${host}` : ''}: ${plan.toHuman}`);
  const fields = { text, session: clean(session), host, at: new Date(at).toISOString(), rung, reason, recovery };
  return { text, body: JSON.stringify({ ...fields, ...(target === undefined ? {} : { target: clean(target) }) }) };
}
