import { isObject, type JsonObject } from '../json.ts';
import type { Message } from './json-rpc.ts';

const VERSION = 'io.modelcontextprotocol/protocolVersion';

/** Which parameter names what a request is about, for `Mcp-Name`. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** The headers that repeat what a message says, as the protocol without sessions wants them over HTTP; none for the older ones. */
export function messageHeaders({ id, method, params }: Message, inputSchema: unknown): Record<string, string> {
  if (id === undefined || typeof method !== 'string' || !isObject(params) || !isObject(params._meta)) return {};
  const version = params._meta[VERSION];
  if (typeof version !== 'string') return {};
  const named = params[NAMED_BY[method] ?? ''];
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof named === 'string' ? { 'mcp-name': encoded(named) } : {}),
    ...(method === 'tools/call' ? argumentHeaders(inputSchema, params.arguments) : {}),
  };
}

/** Arguments that a tool wants repeated in a header: its schema says so, at any depth of properties. */
function argumentHeaders(schema: unknown, args: unknown): Record<string, string> {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  const given: JsonObject = isObject(args) ? args : {};
  return Object.assign(
    {},
    ...Object.entries(properties).map(([name, property]) => {
      const value = given[name];
      const header = isObject(property) ? property['x-mcp-header'] : undefined;
      if (typeof header !== 'string') return argumentHeaders(property, value);
      const isPlain = typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
      return isPlain ? { [`mcp-param-${header}`.toLowerCase()]: encoded(String(value)) } : {};
    }),
  );
}

/** What HTTP cannot carry in a header goes as Base64, marked as such. */
const encoded = (value: string): string =>
  /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value)
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`;
