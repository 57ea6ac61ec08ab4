import { UnrutError } from '../../errors.ts';
import { responseCost, tokenCost } from '../../hosts/reading/response-cost.ts';
import { isObject } from '../../json.ts';
import { redact } from '../../redact/redact.ts';
import type { Spent } from '../brain.ts';
import { pause } from '../pause.ts';

/** Where and how a model is asked. */
export interface Endpoint {
  /** Who is asked, for errors. */
  name: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Grows with every answer. */
  spent: Spent;
}

export const startSpent = (): Spent => ({ requests: 0, tokens: 0 });

const TIMEOUT = 180_000;
const MAX_TRIES = 4;
const FIRST_PAUSE = 1000;
const MAX_PAUSE = 30_000;

/** Asks once, and again when the service is busy. What goes wrong is one line without secrets. */
export async function postJson(endpoint: Endpoint, body: object, signal?: AbortSignal): Promise<Record<string, unknown>> {
  for (let attempt = 1; ; attempt++) {
    const { status, text, retryAfter } = await ask(endpoint, body, signal);
    if (status >= 200 && status < 300) return counted(endpoint.spent, parse(endpoint, text));
    const busy = status === 408 || status === 429 || status >= 500;
    if (!busy || attempt === MAX_TRIES) throw failure(endpoint, `it answered ${status}: ${text.slice(0, 300)}`);
    await pause(Math.min(MAX_PAUSE, retryAfter ?? FIRST_PAUSE * 2 ** (attempt - 1)), signal);
  }
}

function counted(spent: Spent, answer: Record<string, unknown>): Record<string, unknown> {
  const { usage, usageMetadata: counts } = answer;
  const cost = isObject(counts)
    ? tokenCost(counts.promptTokenCount, counts.cachedContentTokenCount, counts.candidatesTokenCount, counts.thoughtsTokenCount)
    : responseCost(usage);
  spent.requests++;
  spent.tokens += cost?.tokens ?? 0;
  return answer;
}

async function ask({ name, url, headers }: Endpoint, body: object, signal: AbortSignal | undefined) {
  const late = AbortSignal.timeout(TIMEOUT);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, late]) : late,
    });
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    return { status: response.status, text: await response.text(), retryAfter: Number.isFinite(seconds) ? seconds * 1000 : undefined };
  } catch (error) {
    throw failure({ name }, `cannot reach ${url}: ${(error as Error).message}`, error);
  }
}

function parse(endpoint: Endpoint, text: string): Record<string, unknown> {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer === 'object' && answer !== null) return answer as Record<string, unknown>;
  } catch {}
  throw failure(endpoint, `expected a JSON object, got ${text.slice(0, 100)}`);
}

const failure = ({ name }: Pick<Endpoint, 'name'>, what: string, cause?: unknown): UnrutError =>
  new UnrutError('brain-failed', `[computer-use] The brain ${name} failed: ${redact(what.replace(/\s+/g, ' '))}`, { cause });

/** A key from the options or the environment. */
export function apiKeyOf(given: string | undefined, variable: string): string {
  const key = given ?? process.env[variable];
  if (key) return key;
  throw new UnrutError('missing-key', `[computer-use] Missing API key. Set ${variable}, or pass apiKey.`);
}
