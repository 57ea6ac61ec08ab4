import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installServers } from './install-servers.ts';
import { environment, home } from './proxied.ts';

/** The real clients of both generations; the second one prefers the protocol without sessions. */
export const CLIENTS = ['v1', 'v2'] as const;
export type Generation = (typeof CLIENTS)[number];

/** A block of content; what these tests look at. */
export interface Block {
  type: string;
  text?: string;
}

export interface ToolResult {
  content: Block[];
  isError?: boolean;
  structuredContent?: unknown;
  _meta?: Record<string, unknown>;
}

/** The part of both clients that they have in common, and that these tests use. */
export interface McpClient {
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
  callTool(
    params: { name: string; arguments?: object; _meta?: object },
    ...options: unknown[]
  ): Promise<ToolResult>;
  listTools(): Promise<{ tools: { name: string; outputSchema?: unknown }[] }>;
  [method: string]: (...args: never[]) => Promise<unknown>;
}

interface ClientModules {
  Client: new (info: object, options: object) => McpClient;
  StdioClientTransport: new (options: object) => object;
  StreamableHTTPClientTransport: new (url: URL, options?: object) => object;
  /** Of the first generation only. */
  SSEClientTransport: new (
    url: URL,
  ) => object;
}

/** The modules of each generation. */
const FILES: Readonly<Record<Generation, readonly string[]>> = {
  v1: [
    'sdk/dist/esm/client/index.js',
    'sdk/dist/esm/client/stdio.js',
    'sdk/dist/esm/client/streamableHttp.js',
    'sdk/dist/esm/client/sse.js',
  ],
  v2: ['client/dist/index.mjs', 'client/dist/stdio.mjs'],
};

export async function clientModules(generation: Generation): Promise<ClientModules> {
  const folder = join(await installServers(), 'node_modules/@modelcontextprotocol');
  const modules = await Promise.all(
    FILES[generation].map(
      (file) => import(pathToFileURL(join(folder, file)).href) as Promise<object>,
    ),
  );
  return Object.assign({}, ...modules) as ClientModules;
}

export interface ClientOptions {
  generation?: Generation;
  /** The client's capabilities. */
  capabilities?: object;
  /** The client's name. */
  name?: string;
  cwd?: string;
}

/** A client that has not been connected yet. */
export async function newClient({
  generation = 'v1',
  capabilities = {},
  name = 'test-client',
}: ClientOptions = {}): Promise<McpClient> {
  const { Client } = await clientModules(generation);
  const negotiation = generation === 'v2' ? { versionNegotiation: { mode: 'auto' } } : {};
  return new Client({ name, version: '1.0.0' }, { capabilities, ...negotiation });
}

/** Starts a command and connects a real client to it. */
export async function connect(
  [command, ...args]: readonly string[],
  options: ClientOptions = {},
): Promise<McpClient> {
  const client = await newClient(options);
  const { StdioClientTransport } = await clientModules(options.generation ?? 'v1');
  await client.connect(
    new StdioClientTransport({
      command,
      args,
      env: environment(),
      cwd: options.cwd ?? home,
      stderr: 'ignore',
    }),
  );
  return client;
}

/** The part of a result that the model reads. */
export const textOf = ({ content }: ToolResult): string =>
  content.map(({ text = '' }) => text).join('\n');
