import { query } from './databases.ts';

export interface ManySessions {
  org: number;
  sessions: number;
  /** Of each session. */
  events: number;
  /** Over which they are spread, to now. */
  days: number;
}

/** Every twelfth session has a loop, with three signals, a plan and an outcome. */
const LOOPS = 12;
const SUMMARY = {
  outcomes: { recovered: 1, persisted: 0, relapsed: 0, unknown: 0 },
  acted: { plans: 1, recovered: 1, persisted: 0, relapsed: 0, unknown: 0 },
  pulse: [],
  doing: 'npm test',
  why: '`npm test` failed 5 times in a row in the same way (expected 2, got 3)',
};
const SIGNAL = {
  detector: 'repeated-call',
  variant: 'consecutive',
  step: 4,
  since: 0,
  count: 3,
  strength: 0.9,
  rung: 'note',
  streak: 's1',
  text: '`npm test` failed 3 times in a row in the same way',
  evidence: { keys: ['a'], facts: {} },
};
const PLAN = {
  id: 'p0',
  recovery: 'say-what-repeats',
  rung: 'note',
  reason: 'repeated-call/consecutive',
  streak: 's1',
  shadow: false,
  toModel: 'The same call has failed three times.',
  toHuman: 'It repeats itself.',
};
const OFFER = {
  failure: 'test-failure',
  world: 'shell',
  offered: ['read-the-test'],
  followed: 'read-the-test',
  reward: 1,
};
const OUTCOME = {
  plan: 'p0',
  recovery: 'say-what-repeats',
  rung: 'note',
  reason: 'repeated-call/consecutive',
  outcome: 'recovered',
  after: 2,
  offer: OFFER,
};

const text = (data: object): string => `'${JSON.stringify(data).replaceAll("'", "''")}'`;

/** Sessions of one transaction: none of a server writes as much. */
const AT_ONCE = 5000;

/** Fills a ledger by SQL, as servers would have filled it, sums by the hour among it. */
export async function makeSessions(
  superuser: string,
  { org, sessions, events, days }: ManySessions,
): Promise<void> {
  const run = (sql: string): Promise<object[]> => query(superuser, sql);
  await run(
    `SELECT unrut.make_day((now() AT TIME ZONE 'UTC')::date - back) FROM generate_series(0, ${days + 1}) back`,
  );
  for (let from = 1; from <= sessions; from += AT_ONCE) {
    const places = `(SELECT i, ${org} * 1000000000000 + i AS session_no, now() - interval '1 minute' - (i::double precision / ${sessions}) * interval '${days} days' AS at,
      i % ${LOOPS} = 0 AS loops FROM generate_series(${from}, ${Math.min(sessions, from + AT_ONCE - 1)}) i) s`;
    const born = `(s.at AT TIME ZONE 'UTC')::date`;
    await run(`INSERT INTO unrut.sessions (org, session_no, session, born, host, model, folder, first, last, last_loop, ended, looping, events, signals, steps, loops,
        plans, tokens, usd, wasted_steps, wasted_tokens, wasted_usd, summary)
      SELECT ${org}, s.session_no, md5(s.i::text), ${born}, (ARRAY['claude-code', 'codex', 'gemini-cli'])[1 + s.i % 3], 'm' || s.i % 4, 'folder-' || s.i % 500,
        s.at - interval '${events} seconds', s.at, CASE WHEN s.loops THEN s.at END, s.i % 5 <> 0, s.loops, ${events}, CASE WHEN s.loops THEN 3 ELSE 0 END,
        ${events}, s.loops::integer, s.loops::integer, 1000, 0.01, 2 * s.loops::integer, 200 * s.loops::integer, (s.i % 97) * 0.001 * s.loops::integer,
        ${text(SUMMARY)}
      FROM ${places}`);
    await run(`INSERT INTO unrut.events (born, session_no, key, org, at, step, type, tool, failed, steps, loops, tokens, usd, before, data, n)
      SELECT ${born}, s.session_no, '//e' || n || '/event', ${org}, s.at - (${events} - n) * interval '1 second', n, 'call-finished', 'npm test', s.loops, 1, 0, 100, 0.001,
        CASE WHEN n > 1 THEN s.at - (${events} - n + 1) * interval '1 second' END,
        '{"type":"call-finished","tool":"Bash","seen":{"call":{"label":"npm test","tool":"npm test"}}}', n
      FROM ${places}, generate_series(1, ${events}) n`);
    await run(`INSERT INTO unrut.findings (born, session_no, key, org, at, step, kind, detector, tool, plan, recovery, rung, outcome, shadow, trial, nested, looping,
        steps, loops, wasted_steps, wasted_tokens, wasted_usd, data, n)
      SELECT ${born}, s.session_no, '//e' || n || '/' || f.kind, ${org}, s.at - (5 - n) * interval '100 milliseconds', n, f.kind, 'repeated-call', 'npm test', f.plan,
        'say-what-repeats', 'note', f.outcome, false, false, false, f.kind = 'signal', 0, (n = 1)::integer, 0, 0, 0, f.data::json, 100 + n
      FROM ${places}, (VALUES (1, 'signal', NULL, NULL, ${text(SIGNAL)}), (2, 'signal', NULL, NULL, ${text(SIGNAL)}), (3, 'signal', NULL, NULL, ${text(SIGNAL)}),
        (4, 'plan', 'p0', NULL, ${text(PLAN)}), (5, 'outcome', 'p0', 'recovered', ${text(OUTCOME)})) f (n, kind, plan, outcome, data)
      WHERE s.loops`);
  }
  await run('ANALYZE unrut.sessions, unrut.events, unrut.findings');
}
