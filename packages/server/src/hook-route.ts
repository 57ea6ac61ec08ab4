import { answerHook } from '@unrut/agents/hook/answer-hook';
import { REPLY_TYPE } from '@unrut/agents/hook/ask-server';
import { hookHosts } from '@unrut/agents/hosts';
import { isObject, present, textOf } from '@unrut/engine/json';
import { notify } from '@unrut/ledger/notify/notify';
import { zeroOrOne } from './api/query.ts';
import { readJsonBody } from './body.ts';
import { malformed, Refusal } from './problem.ts';
import { personOf } from './protect.ts';
import { report } from './reporting.ts';
import { choice, open, text } from './route/schema-words.ts';

/** Whose key it is decides whose agent it is. */
const environmentFor = (person: string | undefined): Record<string, string> =>
  person === undefined ? {} : { UNRUT_PERSON: person };

const payload = open({});

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
    const { ledger, recorder, settingsIn, said, learnedIn, now = Date.now } = parts;
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
    const settings = settingsIn(textOf(payload.cwd) || undefined);
    const learned = await learnedIn(ledger);
    const guard = {
      ...settings.guard,
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
      ...(said ? { person: said.person(textOf(payload.cwd)) } : {}),
    });
    for (const escalation of escalations) notify(settings.notify, escalation);
    // A hook program passes on what a header cannot say.
    if (context.req.header('accept') === REPLY_TYPE)
      return context.json({ stdout, ...present({ stderr }), exitCode });
    return stdout === '' || stdout.startsWith('{')
      ? context.body(stdout || '{}', 200, { 'content-type': 'application/json' })
      : context.text(stdout);
  },
});
