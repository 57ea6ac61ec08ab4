import { createInterface } from 'node:readline';

// A server that misbehaves: it dies during a call, writes invalid messages, and sends too long
// answers.
type Id = number | string;
const write = (line: string): void => void process.stdout.write(`${line}\n`);
const answer = (id: Id, text: string): void =>
  write(
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":${JSON.stringify(text)}}]}}`,
  );

const TOOLS: Readonly<Record<string, (id: Id, args: { size?: number; text?: string }) => void>> = {
  echo: (id, { text = '' }) => answer(id, text),
  big: (id, { size = 0 }) => answer(id, 'x'.repeat(size)),
  exit: () => process.exit(7),
  kill: () => void process.kill(process.pid, 'SIGKILL'),
  talk(id) {
    process.stderr.write('a word on stderr\n');
    write('Server is starting, this is no JSON');
    write('{"jsonrpc":"2.0","id":');
    write('[]');
    write('"just a text"');
    write(
      '{ "jsonrpc" : "2.0" ,  "method":"notifications/message", "params":{"data":"caf\\u00e9 \\/ 1.0e2"} }\r',
    );
    answer(id, 'talked');
  },
  wait: () => undefined,
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const {
    id,
    method,
    params = {},
  } = JSON.parse(line) as {
    id?: Id;
    method: string;
    params?: { name?: string; arguments?: object; requestId?: Id };
  };
  if (method === 'notifications/cancelled') answer('cancelled', `cancelled ${params.requestId}`);
  else if (id === undefined) return;
  else if (method === 'tools/call') TOOLS[params.name ?? '']?.(id, params.arguments ?? {});
  else write(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
});
