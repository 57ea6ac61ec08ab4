import { DEMO_SESSIONS, type DemoCall, type DemoSession } from './demo-sessions.ts';

/** A fleet for the demo: agents of several teams over some days, and an outage that hits many. */

const HOSTS: readonly (readonly [host: string, model: string])[] = [
  ['claude-code', 'claude-sonnet'],
  ['codex', 'gpt-codex'],
  ['gemini-cli', 'gemini-pro'],
  ['opencode', 'claude-sonnet'],
];
/** `often`: of ten sessions of release v41, this many get stuck. */
const REPOS = [
  { repo: 'billing-api', team: 'payments', often: 6 },
  { repo: 'shop-web', team: 'storefront', often: 3 },
  { repo: 'search-api', team: 'storefront', often: 3 },
] as const;

const [OLD, NEW] = ['v41', 'v42'];
/** Days ago on which the new release came. */
const RELEASED = 3;
const SESSIONS_A_DAY = 18;

/** Its sessions that many days ago: fewer get stuck since the new release. */
export function fleetOn(daysAgo: number): DemoSession[] {
  return Array.from({ length: SESSIONS_A_DAY }, (_, i) => {
    const { repo, team, often } = REPOS[i % REPOS.length]!;
    const place = Math.floor(i / REPOS.length);
    const [host, model] = HOSTS[(i + daysAgo) % HOSTS.length]!;
    const isNew = daysAgo <= RELEASED;
    // Multiplied with a number that has no factor in common with ten, each comes up once.
    const isStuck = (place * 3 + daysAgo) % 10 < (isNew ? often / 2 : often);
    const session = DEMO_SESSIONS[(i * 3 + place + daysAgo) % (DEMO_SESSIONS.length - 1)]!;
    return {
      ...session,
      host,
      folder: repo,
      origin: { model, repo, team, release: isNew ? NEW : OLD },
      stuck: isStuck ? session.stuck : [],
    };
  });
}

const charge = (result: string, isDown = false): DemoCall =>
  [
    'http_request',
    { method: 'POST', url: 'https://payments.internal.example/v1/charge' },
    result,
    ...(isDown ? (['error'] as const) : []),
  ] as never;

export const OUTAGE_AGENTS = 40;

/** Calls of each agent until the service is back. */
const DOWN_FOR = 14;

/** Agents of several programs and teams that all need one service, which is down. */
export function outage(): DemoSession[] {
  return Array.from({ length: OUTAGE_AGENTS }, (_, i) => {
    const { repo, team } = REPOS[i % 2]!;
    const [host, model] = HOSTS[i % HOSTS.length]!;
    return {
      host,
      folder: repo,
      origin: { model, repo, team, release: NEW },
      asked: `Settle order ${2041 + i}.`,
      heeds: 'never',
      lasts: DOWN_FOR,
      before: [
        ['read_order', { id: String(2041 + i) }, `{"order":${2041 + i},"lamps":${(i % 5) + 1}}`],
      ],
      stuck: [charge('503 Service Unavailable: connect ECONNREFUSED 10.0.4.17:443', true)],
      after: [charge(`{"charged":true,"receipt":"r-${7000 + i * 13}"}`)],
    };
  });
}
