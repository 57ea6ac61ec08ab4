import { answerHook, sessionIn } from '@unrut/agents/hook/answer-hook';
import { REPLY_TYPE } from '@unrut/agents/hook/ask-server';
import { hookHosts } from '@unrut/agents/hosts';
import { isObject, type JsonObject, present, textOf } from '@unrut/engine/json';
import { notify } from '@unrut/ledger/notify/notify';
import { forgivenIn } from '@unrut/ledger/people/said';
import type { Context } from 'hono';
import { zeroOrOne } from './api/query.ts';
import { readJsonBody } from './body.ts';
import { malformed, Refusal } from './problem.ts';
import { personOf } from './protect.ts';
import { type Reporting, report } from './reporting.ts';
import { choice, open, text } from './route/schema-words.ts';

/** Agents belong to the owner of the key. */
const environmentFor = (person: string | undefined): Record<string, string> =>
  person === undefined ? {} : { UNRUT_PERSON: person };

const payload = open({});

/** The place of a hook whose sender may report to every project. */
async function placeOf(parts: Reporting, payload: JsonObject, agent: string): Promise<Reporting> {
  const about = parts.placesOf && sessionIn(payload, agent);
  if (!about) return parts;
  const [place] = await parts.placesOf!([{ sessions: [about.session], folder: about.folder }]);
  return place!;
}

/** What a hook answers its agent. */
interface HookReply {
  stdout: string;
  stderr?: string;
  exitCode: number;
}

function reply(context: Context, { stdout, stderr, exitCode }: HookReply): Response {
  // Hook programs return fields that headers cannot carry.
  if (context.req.header('accept') === REPLY_TYPE)
    return context.json({ stdout, ...present({ stderr }), exitCode });
  return stdout === '' || stdout.startsWith('{')
    ? context.body(stdout || '{}', 200, { 'content-type': 'application/json' })
    : context.text(stdout);
}

export const hookRoute = report.post('/v1/hooks/:agent', {
  id: 'postHook',
  summary: 'Answer a hook of a coding agent, as unrut hook does.',
  params: {
    agent: choice(
      hookHosts.map(({ name }) => name),
      'The agent the hook belongs to.',
    ),
  },
  query: { shadow: zeroOrOne('1: record only.') },
  takes: { 'application/json': payload },
  content: { 'application/json': payload, 'text/plain': text() },
  statuses: { 200: 'The answer, in the format the agent expects; an empty object says nothing.' },
  refuses: { 404: 'No such agent.' },
  async handle({ params: { agent }, query, context }, parts) {
    if (!hookHosts.some(({ name }) => name === agent))
      throw new Refusal(
        404,
        'unknown-agent',
        `Unknown agent: ${agent}. Agents: ${hookHosts.map(({ name }) => name).join(', ')}.`,
      );
    const payload = await readJsonBody(context);
    if (!isObject(payload))
      throw malformed(
        `Expected the hook payload of ${agent} as a JSON object, got something else.`,
      );
    // If the database is away, the agent is left alone.
    const place = await placeOf(parts, payload, agent).catch(() => undefined);
    if (!place) return reply(context, { stdout: '', exitCode: 0 });
    const { ledger, recorder, settingsIn, said, learnedIn, pageOf, now = Date.now } = place;
    const folder = textOf(payload.cwd);
    await said?.refresh();
    const settings = settingsIn(folder || undefined);
    const learned = await learnedIn(ledger);
    const inSettings = settings.guard.forgiven ?? [];
    const forgiven = inSettings.length > 0 || !said ? inSettings : forgivenIn(said.now(), folder);
    const guard = {
      ...settings.guard,
      forgiven,
      learned,
      ...(query.shadow === '1' ? { shadow: true } : {}),
    };
    const { stdout, stderr, exitCode, escalations } = await answerHook(payload, {
      environment: environmentFor(personOf(context)),
      said: agent,
      ledger,
      settings: { ...settings, guard },
      at: now(),
      recorder,
      ...(said ? { person: said.person(folder) } : {}),
      ...present({ more: pageOf }),
    });
    for (const escalation of escalations) notify(settings.notify, escalation);
    return reply(context, { stdout, exitCode, ...present({ stderr }) });
  },
});
