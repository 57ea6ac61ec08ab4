import { messageHeaders } from '@unrut/adapters/mcp/http-bridge';
import { addressName, serverName } from '@unrut/adapters/mcp/server-name';
import { commandStart } from '@unrut/agents/install/proxy-arguments';
import { describe, expect, test } from 'vitest';
import { mcp } from '../../packages/cli/src/mcp.ts';
import { headerOptions, listenOption, urlOption } from '../../packages/cli/src/mcp-options.ts';

describe('wrong usage is said in one line', () => {
  test.each([
    [[], '[unrut] mcp takes either the command of a server or --url. See unrut mcp --help.'],
    [['--'], '[unrut] mcp takes either the command of a server or --url. See unrut mcp --help.'],
    [
      ['--url', 'http://a/', '--', 'cat'],
      '[unrut] mcp takes either the command of a server or --url. See unrut mcp --help.',
    ],
    [
      ['--listen', '80', '--', 'cat'],
      '[unrut] --listen needs --url: a command is served on standard input and output.',
    ],
    [
      ['--notes', 'loud', '--', 'cat'],
      '[unrut] --notes takes auto, append, strip-structured, error; got loud.',
    ],
    [
      ['--url', 'example.com'],
      '[unrut] --url takes an address such as https://example.com/mcp; got example.com.',
    ],
    [
      ['--url', 'http://a/', '--listen', 'here'],
      '[unrut] --listen takes a port, or a host and a port such as 127.0.0.1:4718; got here.',
    ],
    [
      ['--url', 'http://a/', '--header', 'Bearer secret'],
      '[unrut] --header takes Name: value; got something else (13 characters).',
    ],
    [
      ['--url', 'http://a/', '--header', 'A: ${UNRUT_NOT_SET}'],
      '[unrut] --header uses the variable UNRUT_NOT_SET, which is not set.',
    ],
  ])('%j', async (args, said) => {
    await expect(mcp(args)).rejects.toThrow(
      expect.objectContaining({ code: 'usage', message: said }),
    );
  });
});

test.each([
  ['--name ev node server.js --name other', 2],
  ['--shadow -- node server.js', 1],
  ['--name=ev --hint-failures npx -y server -- --port 1', 2],
  ['--url http://a/ --listen 80', 4],
  ['node server.js', 0],
  ['--name', 1],
])('the command in `%s` begins at word %d: `--` before it is not needed', (words, at) =>
  expect(commandStart(words.split(' '))).toBe(at),
);

test('options are read', () => {
  expect(urlOption('https://example.com/mcp').href).toBe('https://example.com/mcp');
  expect(listenOption('4718')).toEqual({ host: '127.0.0.1', port: 4718 });
  expect(listenOption('[::1]:0')).toEqual({ host: '::1', port: 0 });
  expect(headerOptions(['Authorization: Bearer ${TOKEN}', 'X-A:b'], { TOKEN: 't' })).toEqual({
    authorization: 'Bearer t',
    'x-a': 'b',
  });
});

test.each([
  ['npx -y @playwright/mcp@latest --headless', 'playwright-mcp'],
  [
    'npx @modelcontextprotocol/server-filesystem /home/dev/project',
    'modelcontextprotocol-server-filesystem',
  ],
  ['node /home/dev/project/dist/weather.js', 'weather'],
  ['/usr/local/bin/node /opt/my-server/dist/index.js', 'my-server'],
  ['uvx mcp-server-git', 'mcp-server-git'],
  ['/usr/bin/github-mcp-server stdio', 'github-mcp-server'],
  ['docker run -i --rm mcp/fetch', 'fetch'],
  ['node', 'node'],
])('the server started by `%s` is called %s', (command, name) =>
  expect(serverName(command.split(' '))).toBe(name),
);

test('a server that is reached over HTTP is called by its host', () => {
  expect(addressName(new URL('https://mcp.example.com/v1/mcp?key=1'))).toBe('mcp.example.com');
});

describe('headers that repeat a message', () => {
  const params = {
    name: 'find',
    arguments: { city: 'Zürich', days: 3, deep: { ok: true } },
    _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' },
  };
  const schema = {
    properties: {
      city: { 'x-mcp-header': 'City' },
      days: { 'x-mcp-header': 'Days' },
      deep: { properties: { ok: { 'x-mcp-header': 'Ok' }, no: { 'x-mcp-header': 'No' } } },
    },
  };

  test('are those of the protocol without sessions', () => {
    expect(messageHeaders({ id: 1, method: 'tools/call', params }, schema)).toEqual({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'find',
      'mcp-param-city': `=?base64?${Buffer.from('Zürich').toString('base64')}?=`,
      'mcp-param-days': '3',
      'mcp-param-ok': 'true',
    });
  });

  test.each([
    ['an older protocol', { id: 1, method: 'tools/call', params: { name: 'find' } }],
    ['a notification', { method: 'notifications/cancelled', params }],
  ])('are not sent for %s', (_, message) => expect(messageHeaders(message, schema)).toEqual({}));
});
