import { Agent, createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

// node gateway-programs.ts model <milliseconds>: a model that streams a short answer, and thinks so
// long before it. node gateway-programs.ts relay <address>: the least that any program between a
// client and a model does.
const [kind, given = ''] = process.argv.slice(2);

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const model = createServer((request, response) => {
  request.resume().on('end', () => {
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const word of 'All is done, and all is well.'.split(' '))
        response.write(chunk({ content: word }));
      response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`);
    }, Number(given));
  });
});

const agent = new Agent({ keepAlive: true });
const relay = createServer((request, response) => {
  const { method = '', url = '', headers } = request;
  const asked = send(
    given + url.replace(/^\/openai/, ''),
    { method, headers: { ...headers, host: new URL(given).host }, agent },
    (answered) => {
      response.writeHead(answered.statusCode!, answered.headers);
      answered.pipe(response);
    },
  );
  request.pipe(asked);
});

const server = kind === 'model' ? model : relay;
server.listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
