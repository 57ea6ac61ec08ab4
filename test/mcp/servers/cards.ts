import { createInterface } from 'node:readline';

// A server without an SDK: cards on boards. node cards.ts [declared]: the tools then say of
// themselves what they patch and show.
const declares = (name: string): object =>
  process.argv[2] === 'declared' ? { _meta: { [name]: ['boardId', 'cardId'] } } : {};
const properties = { boardId: { type: 'string' }, cardId: { type: 'string' } };
const inputSchema = { type: 'object', properties };
const tools = [
  { name: 'updateCard', inputSchema, ...declares('unrut/patch') },
  { name: 'showCard', inputSchema, ...declares('unrut/look') },
];

interface Request {
  id?: number;
  method: string;
  params?: { name?: string };
}

function answer({ method, params }: Request): object | undefined {
  if (method === 'initialize')
    return {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'cards', version: '1.0.0' },
    };
  if (method === 'tools/list') return { tools };
  if (method !== 'tools/call') return undefined;
  const text = params?.name === 'updateCard' ? 'Card updated.' : 'A card with a title.';
  return { content: [{ type: 'text', text }] };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  const result = answer(request);
  if (result) console.log(JSON.stringify({ jsonrpc: '2.0', id: request.id, result }));
}
