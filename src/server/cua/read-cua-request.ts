import { SWITCHES } from '../../computer-use/switches.ts';
import { readTask, type Task } from '../../computer-use/task.ts';
import { UnrutError } from '../../errors.ts';
import { isObject } from '../../json.ts';
import { Refusal } from '../refusal.ts';
import type { AllowedHosts } from './allowed-hosts.ts';

const MOST_STEPS = 200;
const LARGEST_SIDE = 4096;
/** Of a brain, what a request may choose: neither where it is asked nor with whose key. */
const OF_BRAIN: readonly string[] = ['kind', 'model', 'tool', 'maxTokens', 'script'];

/** A task as somebody sent it. Nothing of the server's environment goes into it. Throws a refusal in one line. */
export function readCuaRequest(body: unknown, hosts: AllowedHosts): Task {
  const task = readBody(body);
  const { url, maxSteps, viewport } = task;
  const strange = Object.keys(task.brain).find((name) => !OF_BRAIN.includes(name));
  if (strange !== undefined)
    throw malformed(`expected brain to hold ${OF_BRAIN.join(', ')}, got ${strange}. Where a model is asked is set on the server.`);
  if (maxSteps > MOST_STEPS) throw malformed(`expected maxSteps up to ${MOST_STEPS}, got ${maxSteps}.`);
  for (const side of [viewport.width, viewport.height])
    if (!Number.isInteger(side) || side < 1 || side > LARGEST_SIDE)
      throw malformed(`expected viewport to have a width and a height up to ${LARGEST_SIDE}, got ${String(side)}.`);
  if (!isAllowed(url, hosts))
    throw new Refusal(
      403,
      'wrong-host',
      `expected a url on ${hosts.names.join(', ')}, got ${hostOf(url)}. unrut serve --cua-hosts allows others.`,
    );
  return task;
}

function readBody(body: unknown): Task {
  if (!isObject(body))
    throw malformed(`expected a task with url, task and brain as a JSON object, and off with any of ${SWITCHES.join(', ')}.`);
  try {
    return readTask(body, {});
  } catch (error) {
    if (error instanceof UnrutError) throw malformed(error.message.replace(/^(?:\[[\w-]+\] )+/, ''));
    throw error;
  }
}

const malformed = (message: string): Refusal => new Refusal(400, 'malformed', message);

function isAllowed(given: string, hosts: AllowedHosts): boolean {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && hosts.allowsUrl(url);
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host || 'a file' : 'no address');
