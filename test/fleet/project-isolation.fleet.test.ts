import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Operation } from '../../packages/server/src/route/open-api.ts';
import { documentOf } from '../../packages/server/src/routes.ts';
import { LOOPING } from '../hosts/looping-host.ts';
import { type Answer, ask } from '../server/request.ts';
import { query } from './databases.ts';
import { isFull } from './full.ts';
import { type OrganisationServer, organisationServer } from './organisation-server.ts';

/** `default` is a project like the others. */
const PROJECTS = ['default', 'shop', 'pay', 'tools'] as const;
type ProjectName = (typeof PROJECTS)[number];
const SCOPES = [['ingest'], ['read'], ['ingest', 'read'], ['admin']] as const;

/** A word that only those with access to a project may read. */
const wordOf = (project: ProjectName): string => `word-of-${project}-only`;
/** A word that is nobody's secret, from senders of all projects. */
const NOBODYS = 'word-of-nobody';

/** A sender: a key of one project, or of all. */
interface Sender {
  key: string;
  project: ProjectName | undefined;
  scopes: readonly string[];
}

const may = ({ scopes }: Sender, scope: string): boolean =>
  scopes.includes('admin') || scopes.includes(scope);

/** One request of a history. Numbers choose among what there is. */
interface Step {
  sender: number;
  server: number;
  /** Which session, of a few that everybody uses. */
  session: number;
  /** Which id, of a few that everybody uses. */
  id: number;
  /** The project that the request names; none of them: it names none. */
  named: number;
  what: 'calls' | 'spoke' | 'hook' | 'act' | 'forget' | 'traces' | 'read';
  route: number;
  act: number;
  /** Whether a sender of all projects names a repository. */
  repo: boolean;
}

/** Telemetry is written some time after it was sent, so its effects are checked separately. */
const PROMPT = [
  ...(['calls', 'calls', 'calls', 'spoke', 'hook', 'act', 'forget'] as const),
  ...(['read', 'read', 'read', 'read'] as const),
];
const LATE = ['traces', 'traces', 'read', 'read', 'calls', 'forget'] as const;
const ACTS = ['off', 'on', 'stop', 'false-alarm'];

const stepOf = (whats: readonly Step['what'][]): fc.Arbitrary<Step> =>
  fc.record({
    sender: fc.nat(1000),
    server: fc.nat(1),
    session: fc.nat(2),
    id: fc.nat(5),
    named: fc.nat(PROJECTS.length * 2),
    what: fc.constantFrom(...whats),
    route: fc.nat(1000),
    act: fc.nat(ACTS.length - 1),
    repo: fc.boolean(),
  });

/** Everything that can be read, but streams and what browsers are sent to. */
const READS = Object.entries(documentOf('0', true).paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      operation: operation as Operation,
    })),
  )
  .filter(
    ({ method, path, operation }) =>
      method === 'get' && path !== '/v1/stream' && operation.security?.length !== 0,
  );

/** All that a project has, as a text that changes with any of it. */
const CONTENTS = `SELECT p.name, md5(concat_ws('|',
    (SELECT string_agg(concat_ws(' ', s.session, s.version, s.ruled, s.events), ',' ORDER BY s.session_no) FROM unrut.states s WHERE s.org = 1 AND s.project = p.project),
    (SELECT string_agg(s::text, ',' ORDER BY s.session_no) FROM unrut.sessions s WHERE s.org = 1 AND s.project = p.project),
    (SELECT string_agg(c::text, ',' ORDER BY c.id) FROM unrut.context_entries c WHERE c.org = 1 AND c.project = p.project),
    (SELECT s.said::text FROM unrut.said s WHERE s.org = 1 AND s.project = p.project),
    (SELECT string_agg(h::text, ',' ORDER BY h::text) FROM unrut.hours h WHERE h.org = 1 AND h.project = p.project),
    (SELECT string_agg(h::text, ',' ORDER BY h::text) FROM unrut.tool_hours h WHERE h.org = 1 AND h.project = p.project),
    (SELECT string_agg(f.key, ',' ORDER BY f.session_no, f.key) FROM unrut.findings f WHERE f.org = 1 AND f.project = p.project)
  )) AS contents FROM unrut.projects p WHERE p.org = 1`;

let servers: OrganisationServer[];
const senders: Sender[] = [];

beforeAll(async () => {
  const one = await organisationServer();
  const store = one.organisations.of(1);
  for (const project of PROJECTS) {
    const number =
      project === 'default'
        ? 1
        : (await store.addProject(project, { repo: `repo-of-${project}` }, 'test'))!.project;
    for (const scopes of SCOPES)
      senders.push({
        project,
        scopes,
        key: await one.addKey(1, { scopes: [...scopes], project: number }),
      });
  }
  for (const scopes of SCOPES)
    senders.push({ project: undefined, scopes, key: await one.addKey(1, { scopes: [...scopes] }) });
  servers = [one, await organisationServer({}, { database: one.database })];
});

const contents = async (): Promise<Map<string, string>> =>
  new Map(
    (await query<{ name: string; contents: string }>(servers[0]!.database.superuser, CONTENTS)).map(
      (row) => [row.name, row.contents],
    ),
  );

/** Number of runs and requests so far; results must not depend on earlier ones. */
let runs = 0;
let requests = 0;

/** What one history knows. */
interface History {
  run: number;
  /** The projects in which senders of all projects have begun a session. */
  begun: Map<string, readonly ProjectName[]>;
}

/** Projects that telemetry has been sent to, which may still be on its way. */
const late = new Set<string>();

const sessionIn = ({ run }: History, { session }: Step): string => `run-${run}-${session}`;
const namedBy = ({ named }: Step): ProjectName | undefined => PROJECTS[named];
const senderOf = ({ sender }: Step): Sender => senders[sender % senders.length]!;

/**
 * The projects that something may be written to. A sender of all projects that names no repository
 * continues where such senders were before, and never where only others were.
 */
function placesOf(history: History, step: Step): readonly ProjectName[] {
  const { project } = senderOf(step);
  const named = namedBy(step) ?? project;
  if (named !== undefined) return [named];
  const session = sessionIn(history, step);
  const before = history.begun.get(session) ?? ['default'];
  const places =
    step.repo && step.what !== 'hook' && step.what !== 'traces' ? [repoOf(step)] : before;
  if (may(senderOf(step), 'ingest'))
    history.begun.set(session, [...new Set([...before, ...places])]);
  return places;
}

/** The project of the repository that is named. */
const repoOf = ({ id }: Step): ProjectName => PROJECTS[1 + (id % (PROJECTS.length - 1))]!;

const search = (step: Step): string => (namedBy(step) ? `?project=${namedBy(step)}` : '');

function send(step: Step, path: string, body?: object, method?: string): Promise<Answer> {
  return ask(servers[step.server]!.url + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      authorization: `Bearer ${senderOf(step).key}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** A few failing calls that are alike, or a word of the user, or a hook. */
function reported(history: History, step: Step, place: ProjectName): Promise<Answer> {
  const { project } = senderOf(step);
  const session = sessionIn(history, step);
  const word = project === undefined ? NOBODYS : wordOf(place);
  requests++;
  const at = 1_794_800_000_000 + requests * 10_000;
  const origin = {
    host: word,
    ...(step.repo ? { repo: `repo-of-${repoOf(step)}` } : {}),
  };
  if (step.what === 'hook')
    return send(step, `/v1/hooks/claude-code${search(step)}`, {
      ...LOOPING['claude-code'].before(1 + (requests % 40)),
      session_id: session,
      cwd: `/home/dev/${word}`,
    });
  if (step.what === 'traces')
    return send(step, `/v1/traces${search(step)}`, tracesOf(session, word, at));
  const events =
    step.what === 'spoke'
      ? [{ type: 'user-spoke', session, at, id: `id-${step.id}`, origin }]
      : [0, 1, 2].map((i) => ({
          type: 'call-finished',
          session,
          at: at + i,
          id: `id-${step.id}-${i}`,
          origin,
          call: { id: `c${i}`, tool: word, args: { q: 1 } },
          error: `the ${word} cannot be reached`,
        }));
  return send(step, `/v1/events${search(step)}`, events);
}

const tracesOf = (session: string, word: string, at: number): object => ({
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: word } }] },
      scopeSpans: [
        {
          spans: [
            {
              traceId: `${requests}`.padStart(32, '0'),
              spanId: `${requests}`.padStart(16, '0'),
              name: `execute_tool ${word}`,
              startTimeUnixNano: `${at}000000`,
              endTimeUnixNano: `${at + 1}000000`,
              attributes: [
                { key: 'gen_ai.operation.name', value: { stringValue: 'execute_tool' } },
                { key: 'gen_ai.tool.name', value: { stringValue: word } },
                { key: 'gen_ai.conversation.id', value: { stringValue: session } },
              ],
            },
          ],
        },
      ],
    },
  ],
});

/** Reads by any route, with names that others use, too. */
function read(history: History, step: Step): Promise<Answer> {
  const { path, operation } = READS[step.route % READS.length]!;
  const takesProject = operation.parameters?.some(({ name }) => name === 'project');
  const where = path
    .replace('{id}', sessionIn(history, step))
    .replace('{name}', namedBy(step) ?? 'shop')
    .replace('{person}', 'nobody');
  return send(step, where + (takesProject ? search(step) : ''));
}

/** The words that an answer may have: those of the projects that the request can be about. */
function readable(step: Step): readonly ProjectName[] {
  const { project } = senderOf(step);
  const named = namedBy(step);
  if (project === undefined) return step.what === 'read' || !named ? PROJECTS : [named];
  return [project];
}

async function perform(history: History, step: Step): Promise<void> {
  const sender = senderOf(step);
  const isWrite = step.what !== 'read';
  const before = isWrite ? await contents() : new Map<string, string>();
  const session = sessionIn(history, step);
  const scope = step.what === 'act' || step.what === 'forget' ? 'admin' : 'ingest';
  let places: readonly ProjectName[] | undefined;
  let answer: Answer;
  if (step.what === 'read') answer = await read(history, step);
  else if (step.what === 'act')
    answer = await send(step, `/v1/act${search(step)}`, { session, act: ACTS[step.act] });
  else if (step.what === 'forget')
    answer = await send(step, `/v1/forget${search(step)}`, { session });
  else {
    places = placesOf(history, step);
    answer = await reported(history, step, places[0]!);
    // Its project is determined when it is written.
    if (step.what === 'traces' && answer.status === 200)
      for (const each of sender.project || namedBy(step) ? places : PROJECTS) late.add(each);
  }
  const about = `${JSON.stringify(step)} by ${sender.scopes} of ${sender.project}: ${answer.status} ${answer.text.slice(0, 400)}`;
  expect(answer.status, about).toBeLessThan(500);
  const named = namedBy(step);
  if (isWrite && (!may(sender, scope) || (named && sender.project && named !== sender.project)))
    expect(answer.status, about).toBe(403);
  else if (places) expect(answer.status, about).toBe(200);
  for (const project of PROJECTS)
    if (!readable(step).includes(project))
      expect(answer.text.includes(wordOf(project)), about).toBe(false);
  if (!isWrite) return;
  const allowed = new Set<string>([
    ...(answer.status === 200 ? (places ?? (named ? [named] : readable(step))) : []),
    ...late,
  ]);
  const after = await contents();
  const changed = [...after].filter(([name, text]) => before.get(name) !== text);
  expect(
    changed.map(([name]) => name).filter((name) => !allowed.has(name)),
    about,
  ).toEqual([]);
}

test.each([
  ['events, hooks, acts', PROMPT],
  ['telemetry', LATE],
] as const)(
  '%s of whatever projects, keys, names and routes: no request reads or writes what is of another project',
  async (_, whats) => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(stepOf(whats), { minLength: 30, maxLength: 60 }), async (steps) => {
        const history: History = { run: ++runs, begun: new Map() };
        for (const step of steps) {
          await perform(history, step);
          seen.set(step.what, (seen.get(step.what) ?? 0) + 1);
        }
      }),
      { numRuns: isFull ? 100 : 6, endOnFailure: true },
    );
    expect([...seen.keys()].sort()).toEqual([...new Set(whats)].sort());
    // Or nothing could have been read or written across.
    const [shared] = await query<{ count: number }>(
      servers[0]!.database.superuser,
      `SELECT count(*)::int AS count FROM (SELECT session FROM unrut.states WHERE session LIKE 'run-%' GROUP BY session HAVING count(*) > 1) s`,
    );
    expect(shared!.count).toBeGreaterThan(3);
  },
);
