import { homedir } from 'node:os';
import { guardOptions } from '../config/guard-options.ts';
import { loadSettings } from '../config/load-settings.ts';
import type { Settings } from '../config/settings.ts';
import type { HookSettings } from '../hook/answer-hook.ts';
import { createSqliteLedger } from '../ledger/sqlite/index.ts';
import { printable } from '../report/printable.ts';
import { createApp } from '../server/create-app.ts';
import type { HookRoute } from '../server/hook-route.ts';
import { isLoopback } from '../server/is-loopback.ts';
import { startServer } from '../server/start-server.ts';
import { readArguments, wholeNumber } from './arguments.ts';
import { EXIT, usageError } from './exit.ts';
import { untilStopped } from './until-stopped.ts';
import { version } from './version.ts';

const HELP = `unrut serve [options]

Answers the hooks of agents over HTTP, with the same verdicts as unrut hook and no process for each call. unrut install --http
<agent> makes an agent call it. It shares the ledger with hooks and commands that run at the same time. Ctrl-C ends it.

Options
  --port N         the port (default 4717; 0 takes one that is free)
  --host ADDRESS   the address (default 127.0.0.1: only this machine); any other needs a token
  --token TOKEN    ask for this token, at least 16 characters; better given as UNRUT_TOKEN, since arguments can be seen by others
  --help

Exit codes: 0 ended, 2 it could not listen or the ledger could not be used, 64 wrong usage.`;

const OPTIONS = {
  port: { type: 'string', default: '4717' },
  host: { type: 'string', default: '127.0.0.1' },
  token: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const SHORTEST_TOKEN = 16;
const HIGHEST_PORT = 65_535;
/** A hook waits no longer than its host does: milliseconds for other writers. */
const WAIT = 1500;

/** `unrut serve`. Returns the exit code. */
export async function serve(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments('serve', args, OPTIONS);
  if (values.help) {
    console.log(HELP);
    return EXIT.ok;
  }
  if (positionals.length > 0) throw usageError(`serve takes no operand, got ${positionals[0]}. See unrut serve --help.`);
  const { host } = values;
  const port = wholeNumber('port', values.port, 0);
  if (port > HIGHEST_PORT) throw usageError(`--port takes a whole number up to ${HIGHEST_PORT}; got ${port}.`);
  const token = tokenFor(host, values.token ?? process.env.UNRUT_TOKEN);
  const { settings, problems } = settingsOf(process.cwd());
  for (const problem of problems) console.error(printable(`[unrut] ${problem}`));
  const { path, retention } = settings.ledger;
  const ledger = createSqliteLedger({ path, retention, wait: WAIT });
  try {
    const settingsIn: HookRoute['settingsIn'] = (folder) => asInFolder(folder, settings);
    const app = createApp({ ledger, settingsIn, token, loopbackOnly: isLoopback(host), version: version() });
    const server = await startServer({ app, host, port });
    console.log(printable(`Unrut listens on ${server.url}, and records to ${path}. Ctrl-C ends it.`));
    await new Promise((resolve) => untilStopped().addEventListener('abort', resolve));
    await server.close();
  } finally {
    await ledger.close();
  }
  return EXIT.ok;
}

function tokenFor(host: string, token: string | undefined): string | undefined {
  if (token === undefined || token === '') {
    if (isLoopback(host)) return undefined;
    throw usageError(`--host ${host} can be reached by others, so it needs a token: set UNRUT_TOKEN, or leave --host out.`);
  }
  if (token.length >= SHORTEST_TOKEN && /^\S+$/.test(token)) return token;
  throw usageError(`The token needs at least ${SHORTEST_TOKEN} characters without spaces; got ${token.length}.`);
}

const settingsOf = (cwd: string) => loadSettings({ cwd, home: homedir(), environment: process.env });

/** As a hook process in that folder would find them, but for the ledger, which is the server's. */
function asInFolder(folder: string | undefined, own: Settings): HookSettings {
  const settings = folder === undefined ? own : settingsOf(folder).settings;
  return { ...settings, guard: guardOptions({ ...settings, ledger: own.ledger }) };
}
