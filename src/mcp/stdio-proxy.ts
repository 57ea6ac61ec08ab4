import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import spawn from 'cross-spawn';
import { UnrutError } from '../errors.ts';
import type { McpConversation } from './conversation.ts';
import { Exchange } from './exchange.ts';
import { LineRelay } from './line-relay.ts';

/** How a server ended. */
export interface ServerEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Requests about tools that it left without an answer. */
  unanswered: number;
}

/** A client's side of a pipe. */
export interface ProxyClient {
  input: Readable;
  output: Writable;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** What a server's children may still be writing after it has ended, in milliseconds. */
const LAST_WORDS = 2000;

/** Starts a server and stands between it and its client until it ends. What it writes to stderr, and signals, pass by. */
export async function stdioProxy(
  [command, ...args]: readonly [string, ...string[]],
  conversation: McpConversation,
  client: ProxyClient,
): Promise<ServerEnd> {
  const exchange = new Exchange(conversation);
  const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<Omit<ServerEnd, 'unanswered'>>((resolve, reject) => {
    server.once('exit', (code, signal) => resolve({ code, signal }));
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotStart(command, error)));
  });
  const passOn = (signal: NodeJS.Signals): void => void server.kill(signal);
  for (const signal of SIGNALS) process.on(signal, passOn);
  try {
    const toClient = new LineRelay((line) => exchange.fromServer(line));
    const toServer = new LineRelay((line) => {
      const { forward, answers } = exchange.fromClient(line);
      for (const answer of answers) toClient.insert(Buffer.from(`${JSON.stringify(answer)}\n`));
      return forward;
    });
    // Whoever goes away first breaks a pipe; how the server ends tells the rest.
    void pipeline(client.input, toServer, server.stdin!).catch(() => undefined);
    const lastWords = pipeline(server.stdout!, toClient, client.output, { end: false }).catch(() => undefined);
    const end = await ended;
    const cutShort = setTimeout(() => server.stdout!.destroy(), LAST_WORDS);
    await lastWords;
    clearTimeout(cutShort);
    return { ...end, unanswered: exchange.waiting };
  } finally {
    for (const signal of SIGNALS) process.off(signal, passOn);
    client.input.destroy();
  }
}

function cannotStart(command: string, { code, message }: NodeJS.ErrnoException): UnrutError {
  const why = code === 'ENOENT' ? 'there is no such command' : code === 'EACCES' ? 'it may not be run' : message;
  return new UnrutError('server', `Cannot start the server \`${command}\`: ${why}. Expected the command of an MCP server after --.`);
}
