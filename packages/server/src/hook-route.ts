import { answerHook, type HookSettings } from '@unrut/agents/hook/answer-hook';
import { REPLY_TYPE } from '@unrut/agents/hook/ask-server';
import { learnedLately } from '@unrut/agents/hook/learned-lately';
import { hookHosts } from '@unrut/agents/hosts';
import { isObject, present, textOf } from '@unrut/engine/json';
import type { Ledger } from '@unrut/ledger/ledger';
import { notify } from '@unrut/ledger/notify/notify';
import type { Recorder } from '@unrut/ledger/recorder';
import type { Context } from 'hono';
import { readJsonBody } from './body.ts';
import type { PeopleSaid } from './people-said.ts';
import { problem } from './problem.ts';
import { personOf } from './protect.ts';

/** What agents report to. */
export interface ReportingRoute {
  ledger: Ledger;
  recorder: Pick<Recorder, 'transaction'>;
  /** What is in force in a folder; where a payload names none, in that of the server. */
  settingsIn(folder: string | undefined): HookSettings;
  /** What people have said about sessions. */
  said?: PeopleSaid;
  /** The clock of the events. Default: `Date.now`. */
  now?: () => number;
}

/** Whose key it is decides whose agent it is. */
const environmentFor = (person: string | undefined): Record<string, string> =>
  person === undefined ? {} : { UNRUT_PERSON: person };

/**
 * `POST /v1/hooks/:agent`: answers a hook as the command does. Nothing to say is an empty object.
 */
export function hookRoute({
  ledger,
  recorder,
  settingsIn,
  said,
  now = Date.now,
}: ReportingRoute): (context: Context) => Promise<Response> {
  const learnedIn = learnedLately();
  return async (context) => {
    const agent = context.req.param('agent') ?? '';
    if (!hookHosts.some(({ name }) => name === agent))
      return problem(
        context,
        404,
        'unknown-agent',
        `Unknown agent: ${agent}. Agents: ${hookHosts.map(({ name }) => name).join(', ')}.`,
      );
    const payload = await readJsonBody(context);
    if (!isObject(payload))
      return problem(
        context,
        400,
        'malformed',
        `Expected the hook payload of ${agent} as a JSON object, got something else.`,
      );
    const settings = settingsIn(textOf(payload.cwd) || undefined);
    const learned = await learnedIn(ledger);
    const guard = {
      ...settings.guard,
      learned,
      ...(context.req.query('shadow') === '1' ? { shadow: true } : {}),
    };
    const { stdout, stderr, exitCode, escalations } = await answerHook(payload, {
      environment: environmentFor(personOf(context)),
      said: agent,
      ledger,
      settings: { ...settings, guard },
      at: now(),
      recorder,
      ...(said ? { person: said.person(textOf(payload.cwd)) } : {}),
    });
    for (const escalation of escalations) notify(settings.notify, escalation);
    // A hook program passes on what a header cannot say.
    if (context.req.header('accept') === REPLY_TYPE)
      return context.json({ stdout, ...present({ stderr }), exitCode });
    return stdout === '' || stdout.startsWith('{')
      ? context.body(stdout || '{}', 200, { 'content-type': 'application/json' })
      : context.text(stdout);
  };
}
