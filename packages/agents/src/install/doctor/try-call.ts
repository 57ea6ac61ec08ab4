import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { objectOf, parsed, textOf } from '@unrut/engine/json';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { readLedger } from '@unrut/ledger/views/read-ledger';
import { serverOf } from '../../settings-files/hook-address.ts';
import { TOKEN_VARIABLE } from '../../settings-files/http-handler.ts';
import type { OurCall } from './our-calls.ts';

/** A payload that any agent could send. */
const SAMPLE = JSON.stringify({
  hook_event_name: 'PreToolUse',
  session_id: 'unrut-doctor',
  transcript_path: '/home/.claude/doctor.jsonl',
  cwd: '/',
  tool_name: 'Read',
  tool_input: { file_path: '/' },
  tool_use_id: 'doctor',
});

/** Milliseconds. An agent waits ten seconds. */
const TIMEOUT_MS = 10_000;

/** Makes a call as the agent would, with a temporary ledger. Returns the problem, if any. */
export async function tryCall(
  { words = [], url, sendsToken = false }: OurCall,
  folder: string,
): Promise<Fault | undefined> {
  if (url !== undefined) return tryServer(url, sendsToken);
  const what = await tryProgram(words, folder);
  return what === undefined ? undefined : { what };
}

async function tryProgram(
  [program, ...args]: readonly string[],
  folder: string,
): Promise<string | undefined> {
  const missing = absolutePaths([program!, ...args].join(' ')).find((path) => !existsSync(path));
  if (missing !== undefined) return `${missing} does not exist`;
  return withHook([program!, ...args], folder, async (call, path) => {
    const { status, stderr, error } = call(SAMPLE);
    if (error) return `it cannot be started (${error.message})`;
    if (status !== 0) return `it exits with code ${status}${complaint(stderr)}`;
    const events = await readLedger(path, {}, (ledger) => ledger.entries({ kind: 'event' }));
    return events.length > 0
      ? undefined
      : 'it starts, but records nothing; if it is older than this command, install it again';
  });
}

/** Calls a hook as the agent would, with a temporary ledger. */
async function withHook<T>(
  [program, ...args]: readonly string[],
  folder: string,
  use: (call: (input: string) => SpawnSyncReturns<string>, ledger: string) => Promise<T>,
): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'unrut-doctor-'));
  try {
    const path = join(home, 'ledger.db');
    // Created by this version: an older hook may not support it.
    await createSqliteLedger({ path }).close();
    const { UNRUT_SERVER: _, UNRUT_LEDGER: __, UNRUT_LEDGER_FILE: ___, ...variables } = process.env;
    const env = {
      ...variables,
      UNRUT_HOME: home,
      UNRUT_LEDGER_PATH: path,
      UNRUT_COMPANION: 'false',
    };
    const call = (input: string): SpawnSyncReturns<string> =>
      spawnSync(program!, args, { cwd: folder, env, input, encoding: 'utf8', timeout: TIMEOUT_MS });
    return await use(call, path);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** An agent's call and its outcome: a result, or an error. */
export interface ProofCall {
  tool: string;
  args: unknown;
  result?: unknown;
  error?: string;
}

/**
 * Replays calls through a hook. Returns the first note to the model and the call at which it came;
 * undefined if there is none, or if the hook is at a server.
 */
export async function proveCall(
  { words, url }: OurCall,
  folder: string,
  calls: readonly ProofCall[],
): Promise<{ call: number; note: string } | undefined> {
  if (words === undefined || url !== undefined) return undefined;
  return withHook(words, folder, async (call) => {
    for (const [i, { tool, args, result, error }] of calls.entries()) {
      const { stdout } = call(
        JSON.stringify({
          hook_event_name: error === undefined ? 'PostToolUse' : 'PostToolUseFailure',
          session_id: 'unrut-proof',
          transcript_path: '/home/.claude/proof.jsonl',
          cwd: folder,
          tool_name: tool,
          tool_input: args,
          tool_use_id: `proof-${i + 1}`,
          ...(error === undefined ? { tool_response: result } : { error }),
        }),
      );
      const note = noteIn(stdout ?? '');
      if (note !== undefined) return { call: i + 1, note };
    }
    return undefined;
  });
}

/** The model's text in an answer. */
function noteIn(stdout: string): string | undefined {
  const answer = objectOf(parsed(stdout));
  const note = textOf(objectOf(answer.hookSpecificOutput).additionalContext);
  return note === '' ? undefined : note;
}

/** The most informative line of the output. */
function complaint(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const line = lines.find((each) => /^\w*Error\b/.test(each)) ?? lines[0];
  return line === undefined ? '' : ` (${line.trim()})`;
}

/** The paths in a command line, as `unrut install` quotes them. */
const absolutePaths = (line: string): string[] =>
  [...line.matchAll(/'((?:\/|[A-Za-z]:[\\/])[^']*)'|(?<=^|[\s"])((?:\/|[A-Za-z]:[\\/])[^\s'"]+)/g)]
    .map(([, quoted, plain]) => quoted ?? plain!)
    .filter((path) => /hook\.cjs$|[\\/]node(?:\.exe)?$/.test(path));

const SERVER_TIMEOUT_MS = 2000;

/** Checks that a hook server is up and accepts the agent's token. Returns the problem, if any. */
export async function tryServer(
  url: string,
  sendsToken: boolean,
  whereAway = 'Run unrut serve to start it, or install without --http',
): Promise<Fault | undefined> {
  const token = process.env[TOKEN_VARIABLE]?.replace(/[\r\n]/g, '') ?? '';
  const headers = sendsToken && token !== '' ? { authorization: `Bearer ${token}` } : {};
  try {
    const signal = AbortSignal.timeout(SERVER_TIMEOUT_MS);
    // An empty request: permissions are checked as for hooks, and nothing is recorded.
    const { ok, status } = await fetch(`${serverOf(url)}/v1/events`, {
      method: 'POST',
      body: '[]',
      headers,
      signal,
    });
    if (status === 401) return whyRefused(sendsToken, token);
    if (status === 403)
      return {
        what: `the key in ${TOKEN_VARIABLE} is not for hooks (403)`,
        todo: 'Use one with the scope ingest',
      };
    if (!ok) return { what: `the server answers with status ${status}` };
    const ready = await fetch(`${serverOf(url)}/readyz`, { signal });
    return ready.ok
      ? undefined
      : { what: 'the server cannot record at the moment', todo: 'Its log says why' };
  } catch (error) {
    const { code = '' } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    return /CERT|VERIFY/.test(code)
      ? untrusted(code)
      : { what: 'no server answers', todo: whereAway };
  }
}

const untrusted = (code: string): Fault => ({
  what: `the server shows a certificate that is not trusted (${code})`,
  todo: 'Set NODE_EXTRA_CA_CERTS to the file with the certificate of your authority, here and where you start the agent',
});

function whyRefused(sendsToken: boolean, token: string): Fault {
  if (!sendsToken) return { what: 'the server requires a token (401), and the hooks send none' };
  const todo = `Set ${TOKEN_VARIABLE} to the token of unrut serve, or to a key of unrut key add, here and where you start the agent`;
  return token === ''
    ? { what: `the server requires a token (401), and ${TOKEN_VARIABLE} is not set`, todo }
    : { what: `the server rejects the token in ${TOKEN_VARIABLE} (401)`, todo };
}

/** Why a call of ours does not work. */
interface Fault {
  what: string;
  /** The advice. Default: connect the agent again. */
  todo?: string;
}
