import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UnrutError } from '@unrut/engine/errors';
import spawn from 'cross-spawn';
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
/** Milliseconds for which a server's children may still write after it has exited. */
const LAST_WORDS = 2000;

/** The replacement for each line of both sides: the same line, another, or none. */
export interface Relayed {
  fromClient(line: Buffer): Buffer | null;
  fromServer(line: Buffer): Buffer | null;
}

/** Puts lines of our own between those that pass. */
export interface LineSenders {
  toClient(message: object): void;
  toServer(message: object): void;
}

/**
 * Starts a server and relays between it and its client until it exits. Its stderr and signals pass
 * unchanged.
 */
export async function stdioProxy(
  command: readonly [string, ...string[]],
  conversation: McpConversation,
  client: ProxyClient,
): Promise<ServerEnd> {
  const exchange = new Exchange(conversation);
  const end = await relayCommand(
    command,
    client,
    ['the server', 'an MCP server'],
    ({ toClient }) => ({
      fromServer: (line) => exchange.fromServer(line),
      fromClient(line) {
        const { forward, answers } = exchange.fromClient(line);
        for (const answer of answers) toClient(answer);
        return forward;
      },
    }),
  );
  return { ...end, unanswered: exchange.waiting };
}

/** Starts a line-based program and relays between it and its client until it exits. */
export async function relayCommand(
  [command, ...args]: readonly [string, ...string[]],
  client: ProxyClient,
  what: readonly [name: string, kind: string],
  connect: (senders: LineSenders) => Relayed,
): Promise<Omit<ServerEnd, 'unanswered'>> {
  const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<Omit<ServerEnd, 'unanswered'>>((resolve, reject) => {
    server.once('exit', (code, signal) => resolve({ code, signal }));
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(cannotStart(command, what, error)),
    );
  });
  const passOn = (signal: NodeJS.Signals): void => void server.kill(signal);
  for (const signal of SIGNALS) process.on(signal, passOn);
  try {
    const relayed = connect({
      toClient: (message) => toClient.insert(Buffer.from(`${JSON.stringify(message)}\n`)),
      toServer: (message) => toServer.insert(Buffer.from(`${JSON.stringify(message)}\n`)),
    });
    const toClient = new LineRelay((line) => relayed.fromServer(line));
    const toServer = new LineRelay((line) => relayed.fromClient(line));
    // The side that closes first breaks the pipe; the server's exit code reports errors.
    void pipeline(client.input, toServer, server.stdin!).catch(() => undefined);
    const lastWords = pipeline(server.stdout!, toClient, client.output, { end: false }).catch(
      () => undefined,
    );
    const end = await ended;
    const cutShort = setTimeout(() => server.stdout!.destroy(), LAST_WORDS);
    await lastWords;
    clearTimeout(cutShort);
    return end;
  } finally {
    for (const signal of SIGNALS) process.off(signal, passOn);
    client.input.destroy();
  }
}

function cannotStart(
  command: string,
  [name, kind]: readonly [name: string, kind: string],
  { code, message }: NodeJS.ErrnoException,
): UnrutError {
  const why =
    code === 'ENOENT'
      ? 'there is no such command'
      : code === 'EACCES'
        ? 'it may not be run'
        : message;
  return new UnrutError(
    'server',
    `Cannot start ${name} \`${command}\`: ${why}. Expected the command of ${kind} after --.`,
  );
}
