import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';

// A server made with the second generation of the SDK, so that it speaks both eras: spaces with
// widgets, and tools that declare themselves to Unrut. node widgets.ts <folder of the packages>
// [http]
type Result = {
  content: { type: 'text'; text: string }[];
  isError?: boolean;
  structuredContent?: object;
};
type Handler = (
  args: Record<string, string>,
  context: { mcpReq: { inputResponses?: Record<string, unknown> } },
) => Promise<object>;
interface Sdk {
  McpServer: new (
    info: object,
    options: object,
  ) => { registerTool(name: string, config: object, handler: Handler): void };
  fromJsonSchema(schema: object): object;
  inputRequired: ((spec: object) => object) & { elicit(params: object): object };
  createMcpHandler(factory: () => object): { fetch(request: Request): Promise<Response> };
  serveStdio(factory: () => object): object;
}

const [folder, kind] = process.argv.slice(2);
const load = (file: string): Promise<object> =>
  import(pathToFileURL(join(folder!, 'node_modules/@modelcontextprotocol/server/dist', file)).href);
const { McpServer, fromJsonSchema, inputRequired, createMcpHandler, serveStdio } = Object.assign(
  {},
  await load('index.mjs'),
  await load('stdio.mjs'),
) as Sdk;

const text = (said: string): Result => ({ content: [{ type: 'text', text: said }] });
const strings = (...names: string[]): object =>
  fromJsonSchema({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  });
const widgets = new Map<string, string>();
let polled = 0;

function newServer(): object {
  const server = new McpServer(
    { name: 'widgets', version: '1.0.0' },
    { capabilities: { tools: {} } },
  );
  const name = ({ spaceId, widgetId }: Record<string, string>): string => `${spaceId}/${widgetId}`;
  server.registerTool(
    'patchWidget',
    { inputSchema: strings('spaceId', 'widgetId', 'patch') },
    async (args) => {
      widgets.set(name(args), args.patch!);
      return text(`Widget "${args.widgetId}" patched, rendered ok, loaded to TRANSIENT.`);
    },
  );
  server.registerTool('readWidget', { inputSchema: strings('spaceId', 'widgetId') }, async (args) =>
    text(`Widget "${args.widgetId}": ${widgets.get(name(args)) ?? 'empty'}`),
  );
  server.registerTool(
    'buildState',
    { inputSchema: strings('build'), _meta: { 'unrut/poll': true } },
    async ({ build }) => text(`${build} is where it was`),
  );
  server.registerTool(
    'findOrder',
    { inputSchema: strings('order', 'remark'), _meta: { 'unrut/identity': ['order'] } },
    async ({ order }) => text(`Order ${order} waits for the customer to answer the letter.`),
  );
  server.registerTool(
    'weather',
    {
      inputSchema: strings('city'),
      outputSchema: fromJsonSchema({ type: 'object', properties: { degrees: { type: 'number' } } }),
    },
    async () => ({
      content: [{ type: 'text', text: '{"degrees":21}' }],
      structuredContent: { degrees: 21 },
    }),
  );
  server.registerTool(
    'deploy',
    { inputSchema: strings('place') },
    async ({ place }, { mcpReq }) => {
      if (mcpReq.inputResponses)
        return text(
          `Deployed to ${place}, release ${++polled}, ${new Date(polled * 1e9).toDateString()}.`,
        );
      const requestedSchema = { type: 'object', properties: { sure: { type: 'boolean' } } };
      return inputRequired({
        inputRequests: {
          sure: inputRequired.elicit({ message: `Deploy to ${place}?`, requestedSchema }),
        },
      });
    },
  );
  return server;
}

if (kind === 'http') {
  const handler = createMcpHandler(newServer);
  const server = createServer(async (request, response) => {
    const { method = 'GET', headers, url } = request;
    const body = method === 'POST' ? Buffer.concat(await request.toArray()) : null;
    const answered = await handler.fetch(
      new Request(`http://localhost${url}`, {
        method,
        headers: headers as Record<string, string>,
        body,
      }),
    );
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    if (answered.body) Readable.fromWeb(answered.body as never).pipe(response);
    else response.end();
  });
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
} else serveStdio(newServer);
