import { Hono } from 'hono';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { limitOf, nameParam } from '../api/query.ts';
import { openApiDocument } from './open-api.ts';
import { mount, refuseOtherMethods, routesOf } from './route.ts';
import { list, maybe, named, object, text } from './schema-words.ts';

const shop = routesOf<{ shop: string }>({ tag: 'look', scope: 'read' });

const order = named('Order', object({ id: text(), shop: text() }));

const ROUTES = [
  shop.get('/orders/:id', {
    id: 'getOrder',
    summary: 'Get an order.',
    params: { id: nameParam() },
    answer: order,
    refuses: { 404: 'No such order.' },
    handle: ({ params: { id } }, { shop }) => ({ id, shop }),
  }),
  shop.get('/orders', {
    id: 'listOrders',
    summary: 'List orders.',
    query: { limit: limitOf(3, 9), of: maybe(text('Whose.')) },
    answer: named('Orders', object({ orders: list(order) })),
    handle: ({ query: { limit, of = 'all' } }, { shop }) => ({
      orders: Array.from({ length: limit }, (_, i) => ({ id: `${of}-${i}`, shop })),
    }),
  }),
  shop.post('/orders', {
    id: 'addOrder',
    summary: 'Add an order.',
    body: v.strictObject({ id: v.string('a name') }),
    answer: order,
    handle: ({ body: { id } }, { shop }) => ({ id, shop }),
  }),
];

const app = new Hono();
app.onError((error, context) => context.text(error.message, 400));
mount(app, ROUTES, () => ({ shop: 'corner' }));
refuseOtherMethods(app, ROUTES);

const ask = async (path: string, init?: RequestInit): Promise<[number, string]> => {
  const response = await app.request(path, init);
  return [response.status, await response.text()];
};

describe('a route', () => {
  test('gets its parameters, with defaults, and what it works with', async () => {
    expect(await ask('/orders?limit=1')).toEqual([
      200,
      '{"orders":[{"id":"all-0","shop":"corner"}]}',
    ]);
    const [, text] = await ask('/orders?of=ann');
    expect(JSON.parse(text).orders).toHaveLength(3);
  });

  test.each([
    ['/orders?limit=10', 'Expected `limit` to be an integer from 1 to 9, got `10`.'],
    ['/orders?limt=1', 'Unknown query parameter `limt`. Did you mean `limit`?'],
  ])('%s is refused in one sentence', async (path, sentence) => {
    expect(await ask(path)).toEqual([400, sentence]);
  });

  test.each([
    ['a%2Fb', 'a/b'],
    ['%252E', '.'],
    ['%252E%252E', '..'],
    ['%252e', '%2e'],
    ['__proto__', '__proto__'],
  ])('/orders/%s is about %s', async (path, id) => {
    expect(JSON.parse((await ask(`/orders/${path}`))[1])).toEqual({ id, shop: 'corner' });
  });

  test('gets a body only if it is as declared', async () => {
    const send = (body: string) => ask('/orders', { method: 'POST', body });
    expect((await send('{"id":"x"}'))[0]).toBe(200);
    expect(await send('{"id":1}')).toEqual([400, 'Expected `id` to be a name, got `1`.']);
  });

  test('is not there unless it is mounted', async () => {
    const empty = new Hono();
    refuseOtherMethods(empty, ROUTES);
    expect((await empty.request('/orders')).status).toBe(404);
    expect((await empty.request('/orders', { method: 'DELETE' })).status).toBe(405);
  });

  test('refuses other methods, and names its own', async () => {
    const response = await app.request('/orders', { method: 'DELETE' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    expect((await app.request('/orders', { method: 'HEAD' })).status).toBe(200);
  });
});

describe('the document', () => {
  test('has what the route declares', () => {
    const { paths, components } = openApiDocument(ROUTES, '1', false);
    expect(Object.keys(paths)).toEqual(['/orders/{id}', '/orders']);
    expect(paths['/orders']!.get!.parameters).toEqual([
      {
        name: 'limit',
        in: 'query',
        required: false,
        description: 'Max number of results (default 3).',
        schema: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
      },
      {
        name: 'of',
        in: 'query',
        required: false,
        description: 'Whose.',
        schema: { type: 'string' },
      },
    ]);
    expect(Object.keys(paths['/orders/{id}']!.get!.responses)).toContain('404');
    expect(components.schemas.Orders).toEqual({
      type: 'object',
      properties: { orders: { type: 'array', items: { $ref: '#/components/schemas/Order' } } },
      required: ['orders'],
    });
  });

  test('does not take two schemas for one', () => {
    const another = shop.get('/other', {
      id: 'other',
      summary: 'Another thing.',
      answer: named('Order', object({ other: text() })),
      handle: () => ({ other: '' }),
    });
    expect(() => openApiDocument([...ROUTES, another], '1', false)).toThrow(
      'Two schemas are called Order.',
    );
  });
});
