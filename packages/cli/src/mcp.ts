import type { IncomingHttpHeaders } from 'node:http';
import type { McpConversation } from '@unrut/adapters/mcp/conversation';
import { type HttpServer, httpBridge } from '@unrut/adapters/mcp/http-bridge';
import { httpProxy } from '@unrut/adapters/mcp/http-proxy';
import type { RpcMessage } from '@unrut/adapters/mcp/json-rpc';
import { openProxyGuard, type ProxyGuard } from '@unrut/adapters/mcp/proxy-guard';
import { addressName, serverName } from '@unrut/adapters/mcp/server-name';
import { type ProxyClient, type ServerEnd, stdioProxy } from '@unrut/adapters/mcp/stdio-proxy';
import { NOTES, type Notes } from '@unrut/adapters/mcp/write-note';
import { hash64 } from '@unrut/engine/hash';
import { isObject } from '@unrut/engine/json';
import { keepIn } from '@unrut/engine/recent';
import { loadSettings } from '@unrut/ledger/config/load-settings';
import { flagOption, optionLines, textOption, textsOption } from './arguments.ts';
import { defineCommand } from './command.ts';
import { complain, EXIT, usageError } from './exit.ts';
import { headerOptions, listenOption, urlOption } from './mcp-options.ts';
import { untilStopped, whenAborted } from './until-stopped.ts';

const OPTIONS = {
  url: textOption(
    'ADDRESS',
    'connect to a server over streamable HTTP, and serve the client on standard input and output',
  ),
  listen: textOption(
    '[HOST:]PORT',
    'with --url: serve clients over HTTP, at the same path (default HOST 127.0.0.1)',
  ),
  header: textsOption(
    "'NAME: V'",
    `with --url: send this header with every request; \${VARIABLE} is read from the environment (repeatable)`,
  ),
  'session-header': textOption(
    'NAME',
    "with --listen: the header that identifies an agent's session",
  ),
  notes: textOption(
    'MODE',
    "how to add notes: append, strip-structured (for clients that show the model only structured content), error, or\nauto: by the client's name (default)",
    'auto',
  ),
  'hint-failures': flagOption(
    'suggest next steps at the first failure of a known kind, not only when it repeats',
  ),
  name: textOption('NAME', 'name of the server in the ledger'),
  shadow: flagOption('record only; never act'),
} as const;

const HELP = `unrut mcp [options] [--] <server command…>
unrut mcp [options] --url <address>

Run as a proxy between an MCP client and a server, and watch the tool calls. Everything passes through byte for byte; only the result of
a looping call gets a note, and a call whose answer is already known is answered without the server. \`unrut install --mcp\` adds
this to a client's config.

${optionLines(OPTIONS, 22)}

Exit codes: those of the server; 2 if it cannot be started, 64 usage error.`;

const client: ProxyClient = { input: process.stdin, output: process.stdout };

const ABOUT = { name: 'mcp', help: HELP, options: OPTIONS, startsProgram: true } as const;

/** `unrut mcp`. */
export const mcp = defineCommand(ABOUT, async ({ values, operands: command }) => {
  if ((values.url === undefined) === (command.length === 0))
    throw usageError('mcp takes either the command of a server or --url. See unrut mcp --help.');
  if (values.listen !== undefined && values.url === undefined)
    throw usageError('--listen needs --url: a command is served on standard input and output.');
  if (values.notes !== 'auto' && !NOTES.includes(values.notes as Notes))
    throw usageError(`--notes takes auto, ${NOTES.join(', ')}; got ${values.notes}.`);
  const url = values.url === undefined ? undefined : urlOption(values.url);
  const listen = values.listen === undefined ? undefined : listenOption(values.listen);
  const headers = headerOptions(values.header, process.env);

  const { settings, problems } = loadSettings();
  problems.forEach(complain);
  const name = values.name ?? (url ? addressName(url) : serverName(command));
  const guard = await openProxyGuard({
    settings,
    name,
    notes: values.notes as Notes | 'auto',
    isLocal: url === undefined,
    shadow: values.shadow,
    hintFailures: values['hint-failures'],
    log: complain,
  });
  try {
    if (!url) return await serveCommand(command as [string, ...string[]], guard, name);
    const server = { url, headers, log: complain };
    if (listen)
      await serveHttp(
        server,
        listen,
        sessionsByRequest(guard.converse, name, values['session-header']),
      );
    else await httpBridge(server, guard.converse(sessionOf(name)), client);
    return EXIT.ok;
  } finally {
    await guard.close();
  }
});

/** A pipe has one client, so the process is the session. */
const sessionOf = (name: string): string => `${name} ${new Date().toISOString()} ${process.pid}`;

async function serveCommand(
  command: readonly [string, ...string[]],
  guard: ProxyGuard,
  name: string,
): Promise<number> {
  const conversation = guard.converse(sessionOf(name));
  const end = await stdioProxy(command, conversation, client);
  conversation.end(end.code === 0 ? 'ended' : 'crashed');
  await guard.close();
  return exitAs(end, name);
}

/** Ends in the way the server did, so that the program that started us sees the same result. */
function exitAs({ code, signal, unanswered }: ServerEnd, name: string): number {
  const open = unanswered === 0 ? '' : `; ${unanswered} of the client's requests had no answer yet`;
  if (signal) {
    complain(`The server ${name} was killed by ${signal}${open}.`);
    process.kill(process.pid, signal);
  } else if (code !== 0) complain(`The server ${name} exited with code ${code}${open}.`);
  return code ?? EXIT.unreadable;
}

async function serveHttp(
  server: HttpServer,
  listen: { host: string; port: number },
  conversationOf: ReturnType<typeof sessionsByRequest>,
): Promise<void> {
  const proxy = await httpProxy({ ...server, ...listen, conversationOf });
  complain(`Listening on ${proxy.url.href}, forwarding to ${server.url.href}.`);
  await whenAborted(untilStopped());
  await proxy.close();
}

const MAX_SESSIONS = 1000;

/**
 * Finds the conversation that an HTTP request belongs to, the least recently used forgotten first.
 */
function sessionsByRequest(
  converse: (session: string) => McpConversation,
  name: string,
  sessionHeader: string | undefined,
): (headers: IncomingHttpHeaders, messages: readonly RpcMessage[]) => McpConversation {
  const conversations = new Map<string, McpConversation>();
  return (headers, messages) => {
    // Hashed, as what names a session may also open it.
    const session = `${name} ${hash64(sessionKey(headers, messages, sessionHeader))}`;
    return keepIn(
      conversations,
      session,
      conversations.get(session) ?? converse(session),
      MAX_SESSIONS,
    );
  };
}

/**
 * Identifies the session of an HTTP request: by the header that the user configured, the MCP
 * session, the trace, or the caller and its rights.
 */
function sessionKey(
  headers: IncomingHttpHeaders,
  messages: readonly RpcMessage[],
  sessionHeader: string | undefined,
): string {
  const own = sessionHeader === undefined ? undefined : headers[sessionHeader.toLowerCase()];
  const session = own ?? headers['mcp-session-id'];
  if (session !== undefined) return `session ${String(session)}`;
  const params = messages.find((message) => isObject(message.params))?.params as
    | RpcMessage
    | undefined;
  const meta = isObject(params?._meta) ? params._meta : {};
  const trace = /^\w\w-(\w{32})-/.exec(String(meta.traceparent ?? headers.traceparent))?.[1];
  if (trace) return `trace ${trace}`;
  return JSON.stringify([
    'client',
    meta['io.modelcontextprotocol/clientInfo'],
    headers.authorization,
    headers['user-agent'],
  ]);
}
