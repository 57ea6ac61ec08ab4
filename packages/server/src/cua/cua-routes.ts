import { SWITCHES } from '@unrut/computer-use/switches';
import { readTask, type Task } from '@unrut/computer-use/task';
import { UnrutError } from '@unrut/engine/errors';
import { isObject } from '@unrut/engine/json';
import { cut } from '@unrut/engine/text/printable';
import { cuaRunSchema, cuaSumsSchema } from '../answers/runs.ts';
import { zeroOrOne } from '../api/query.ts';
import { readJsonBody } from '../body.ts';
import { malformed, Refusal } from '../problem.ts';
import { routesOf } from '../route/route.ts';
import { text } from '../route/schema-words.ts';
import type { AllowedHosts } from './allowed-hosts.ts';
import type { CuaRuns } from './cua-runs.ts';
import { cuaTask } from './cua-task.ts';

const cua = routesOf<{ cua?: CuaRuns | undefined }>({ tag: 'computer use', scope: 'admin' });

/** Computer-use runs; refused unless the server allows them. */
export const cuaRoutes = [
  cua.get('/v1/cua', {
    id: 'getCuaSums',
    summary: 'Get the figures of all computer-use runs in the ledger, by ending and reason code.',
    answer: cuaSumsSchema,
    handle: (_, { cua }) => allowed(cua).sums(),
  }),

  cua.post('/v1/cua', {
    id: 'postCua',
    summary: 'Start a computer-use run, if runs are allowed.',
    query: { wait: zeroOrOne('1: wait until the run has ended.') },
    takes: { 'application/json': cuaTask },
    content: { 'application/json': cuaRunSchema },
    statuses: { 200: 'The run has ended.', 202: 'The run is running or queued; poll Location.' },
    refuses: { 503: 'Too many runs are queued; retry after Retry-After.' },
    async handle({ query, context }, { cua }) {
      const { hosts, add, ended } = allowed(cua);
      const problems: string[] = [];
      const body = await readJsonBody(context);
      const task = readCuaRequest(body, hosts, (what) => void problems.push(what));
      const answer = add(task, problems);
      if (!answer) {
        context.header('retry-after', '30');
        throw new Refusal(503, 'queue-full', 'Too many runs are queued. Try again later.');
      }
      if (query.wait === '1') await ended(answer.id);
      context.header('location', `/v1/cua/${answer.id}`);
      return context.json(answer, answer.ended === undefined ? 202 : 200);
    },
  }),

  cua.get('/v1/cua/:id', {
    id: 'getCua',
    summary: 'Get the state of a computer-use run, and its result.',
    params: { id: text('The id that POST /v1/cua returned.') },
    answer: cuaRunSchema,
    refuses: { 404: 'No such run.' },
    async handle({ params: { id } }, { cua }) {
      const answer = await allowed(cua).get(id);
      if (!answer)
        throw new Refusal(
          404,
          'unknown-run',
          `No such run: ${cut(id, 80)}. Use an id that POST /v1/cua returned; old runs are deleted.`,
        );
      return answer;
    },
  }),
];

function allowed(runs: CuaRuns | undefined): CuaRuns {
  if (runs) return runs;
  throw new Refusal(
    403,
    'cua-off',
    'Computer-use runs are off. Start unrut serve with --cua-hosts to allow them.',
  );
}

const MAX_STEPS = 200;
const LARGEST_SIDE = 4096;
/** The brain settings that a request may choose; the address and the key are not among them. */
const OF_BRAIN: readonly string[] = ['kind', 'model', 'tool', 'maxTokens', 'script'];

/**
 * Parses a task from a request. It uses nothing from the server's environment. Invalid settings are
 * reported, and the rest applies. Throws a refusal if it is not a task.
 */
function readCuaRequest(
  body: unknown,
  hosts: AllowedHosts,
  complain: (what: string) => void,
): Task {
  const task = readBody(body, complain);
  const { url } = task;
  const strange = Object.keys(task.brain).find((name) => !OF_BRAIN.includes(name));
  if (strange !== undefined)
    throw malformed(
      `Expected brain to have only ${OF_BRAIN.join(', ')}, got ${strange}. The server sets where the model runs.`,
    );
  if (!isAllowed(url, hosts))
    throw new Refusal(
      403,
      'wrong-host',
      `Expected a url on ${hosts.names.join(', ')}, got ${hostOf(url)}. Allow other hosts with unrut serve --cua-hosts.`,
    );
  const within = (name: string, value: number, most: number): number => {
    if (value <= most) return value;
    complain(`Expected \`${name}\` to be at most ${most}, got ${value}. ${most} applies.`);
    return most;
  };
  return {
    ...task,
    maxSteps: within('maxSteps', task.maxSteps, MAX_STEPS),
    viewport: {
      width: within('viewport.width', task.viewport.width, LARGEST_SIDE),
      height: within('viewport.height', task.viewport.height, LARGEST_SIDE),
    },
  };
}

function readBody(body: unknown, complain: (what: string) => void): Task {
  if (!isObject(body))
    throw malformed(
      `Expected a JSON object with url, task and brain, and optionally off with any of ${SWITCHES.join(', ')}.`,
    );
  try {
    return readTask(body, {}, complain);
  } catch (error) {
    if (error instanceof UnrutError)
      throw malformed(error.message.replace(/^(?:\[[\w-]+\] )+/, ''));
    throw error;
  }
}

function isAllowed(given: string, hosts: AllowedHosts): boolean {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && hosts.allowsUrl(url);
}

const hostOf = (url: string): string =>
  URL.canParse(url) ? new URL(url).host || 'a file' : 'no URL';
