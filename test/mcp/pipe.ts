import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { environment, home } from './proxied.ts';

export interface Message {
  id?: number | string;
  method?: string;
  result?: {
    content: { type: string; text: string }[];
    isError?: boolean;
    _meta?: Record<string, unknown>;
    [field: string]: unknown;
  };
  error?: { code: number; message: string };
}

/** A client of the plainest kind: lines go in, lines come out. */
export interface Pipe {
  /** Sends a message, or a line as it is. */
  send(message: object | string): void;
  /** Calls a tool and waits for the answer. */
  call(name: string, args?: object, more?: object): Promise<Message>;
  /** Waits for the message with this id. */
  answer(id: number | string): Promise<Message>;
  /** All lines received, as they came. */
  lines: string[];
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  /** Closes the input, and waits for the end. */
  end(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts a command and talks to it by lines. */
export function openPipe([command, ...args]: readonly string[], cwd: string = home): Pipe {
  const child = spawn(command!, args, { env: environment(), cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  const lines: string[] = [];
  const waiting = new Map<number | string, (message: Message) => void>();
  let held: Buffer[] = [];
  let stderr = '';
  let next = 0;
  child.stdin.on('error', () => undefined);
  child.stderr.on('data', (chunk) => (stderr += chunk));
  child.stdout.on('data', (chunk: Buffer) => {
    held.push(chunk);
    if (!chunk.includes(10)) return;
    const parts = Buffer.concat(held).toString().split('\n');
    held = [Buffer.from(parts.pop()!)];
    for (const line of parts) take(line);
  });

  function take(line: string): void {
    lines.push(line);
    if (!line.startsWith('{')) return;
    try {
      const message = JSON.parse(line) as Message;
      if (message.id !== undefined && message.method === undefined)
        waiting.get(message.id)?.(message);
    } catch {
      // A line that is no message is kept, and that is all.
    }
  }

  const answer = (id: number | string): Promise<Message> =>
    new Promise((resolve) => waiting.set(id, resolve));
  const send = (message: object | string): void =>
    void child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  return {
    send,
    answer,
    lines,
    ended,
    call(name, args = {}, more = {}) {
      const id = `call ${++next}`;
      const answered = answer(id);
      send({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name, arguments: args, ...more },
      });
      return answered;
    },
    stderr: () => stderr,
    kill: (signal) => void child.kill(signal),
    end() {
      child.stdin.end();
      return ended;
    },
  };
}
