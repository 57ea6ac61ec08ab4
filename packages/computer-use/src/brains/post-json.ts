import { UnrutError } from '@unrut/engine/errors';
import { redact } from '@unrut/engine/redact/redact';
import { GEMINI_COUNTS, responseCost, spentIn } from '@unrut/reading/response-cost';
import type { Spent } from '../brain.ts';
import { pause } from '../pause.ts';

/** The model and its address. */
export interface ModelChoice {
  model: string;
  /** Default: the service's environment variable, such as `OPENAI_API_KEY`. */
  apiKey?: string;
  /**
   * Default: the service's environment variable, such as `OPENAI_BASE_URL`; otherwise the public
   * service.
   */
  baseUrl?: string;
}

/** How to reach a model. */
export interface Endpoint {
  /** The name of the service, for errors. */
  name: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Updated with every answer. */
  spent: Spent;
}

const TIMEOUT = 180_000;
const MAX_TRIES = 4;
const FIRST_PAUSE = 1000;
const MAX_PAUSE = 30_000;

/** Sends a request, and retries if the service is busy. Errors are one line without secrets. */
export async function postJson(
  endpoint: Endpoint,
  body: object,
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  for (let attempt = 1; ; attempt++) {
    const { status, text, retryAfter } = await ask(endpoint, body, signal);
    if (status >= 200 && status < 300) return counted(endpoint.spent, parse(endpoint, text));
    const busy = status === 408 || status === 429 || status >= 500;
    if (!busy || attempt === MAX_TRIES)
      throw failure(endpoint, `it answered ${status}: ${text.slice(0, 300)}`);
    await pause(Math.min(MAX_PAUSE, retryAfter ?? FIRST_PAUSE * 2 ** (attempt - 1)), signal);
  }
}

function counted(spent: Spent, answer: Record<string, unknown>): Record<string, unknown> {
  const cost = spentIn(answer.usageMetadata, GEMINI_COUNTS) ?? responseCost(answer.usage);
  spent.requests++;
  spent.tokens += cost?.tokens ?? 0;
  return answer;
}

async function ask(
  { name, url, headers }: Endpoint,
  body: object,
  signal: AbortSignal | undefined,
) {
  const late = AbortSignal.timeout(TIMEOUT);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, late]) : late,
    });
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    return {
      status: response.status,
      text: await response.text(),
      retryAfter: Number.isFinite(seconds) ? seconds * 1000 : undefined,
    };
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
  new UnrutError(
    'brain-failed',
    `[computer-use] The brain ${name} failed: ${redact(what.replace(/\s+/g, ' '))}`,
    { cause },
  );

/**
 * The endpoint of a service, at its usual address unless options or environment set another. Throws
 * if there is no key.
 */
export function endpointOf(
  name: 'anthropic' | 'openai' | 'gemini',
  { apiKey, baseUrl }: Omit<ModelChoice, 'model'>,
  {
    usual,
    path,
    headers,
  }: { usual: string; path: string; headers: (key: string) => Endpoint['headers'] },
): Endpoint {
  const variable = name.toUpperCase();
  const key = apiKey ?? process.env[`${variable}_API_KEY`];
  if (!key)
    throw new UnrutError(
      'missing-key',
      `[computer-use] Missing API key. Set ${variable}_API_KEY, or pass apiKey.`,
    );
  const base = baseUrl ?? process.env[`${variable}_BASE_URL`] ?? usual;
  return {
    name,
    url: base.replace(/\/$/, '') + path,
    headers: headers(key),
    spent: { requests: 0, tokens: 0 },
  };
}
