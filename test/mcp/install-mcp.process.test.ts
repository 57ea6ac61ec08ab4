import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mcpClientEdit, serversIn } from '@unrut/agents/install/mcp-clients';
import { additions, performChange, removals } from '@unrut/agents/settings-files/change';
import { parse } from 'jsonc-parser';
import { afterAll, describe, expect, test } from 'vitest';
import { bundledPrograms } from '../bundled-programs.ts';
import { connect, textOf } from './client.ts';
import { INSTALL_TIMEOUT, serverCommand } from './install-servers.ts';
import { removeHome } from './proxied.ts';

afterAll(removeHome);
const folder = mkdtempSync(join(tmpdir(), 'unrut-clients-'));
afterAll(() => rmSync(folder, { recursive: true }));

const CALL = { node: '/usr/bin/node', command: '/opt/unrut/dist/cli.js', shadow: false };

/** Configs as clients and people write them. */
const CONFIGS: readonly [client: string, file: string, text: string, servers: string[]][] = [
  [
    'Claude Desktop',
    'claude_desktop_config.json',
    `{
  "globalShortcut": "Ctrl+Space",
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": [
        "-y",
        "@modelcontextprotocol/server-filesystem",
        "/home/dev/project"
      ],
      "env": { "DEBUG": "1" }
    },
    "memory": { "command": "mcp-memory" }
  }
}
`,
    ['filesystem', 'memory'],
  ],
  [
    'Claude Code',
    '.mcp.json',
    '{"mcpServers":{"playwright":{"type":"stdio","command":"npx","args":["@playwright/mcp@latest"],"env":{}},"remote":{"type":"http","url":"https://example.com/mcp","headers":{"Authorization":"Bearer ${TOKEN}"}},"bare":{"command":"C:\\\\tools\\\\server.exe","args":[]}}}',
    ['playwright', 'bare'],
  ],
  [
    'Cursor, with tabs, Windows line ends and no last line end',
    'mcp.json',
    '{\r\n\t"mcpServers": {\r\n\t\t"everything": {\r\n\t\t\t"args": ["-y", "@modelcontextprotocol/server-everything"],\r\n\t\t\t"command": "npx"\r\n\t\t}\r\n\t}\r\n}',
    ['everything'],
  ],
  [
    'VS Code, with comments and trailing commas',
    'mcp.json',
    `\uFEFF{
  // our servers
  "inputs": [],
  "servers": {
    "github": { "type": "http", "url": "https://example.com/mcp/" }, // stays
    "python": {
      "type": "stdio",
      "command": "uv\\u0078", /* odd, but fine */
      "args": [ "mcp-server-git", "--repository", "\${workspaceFolder}", ],
    },
  },
}`,
    ['python'],
  ],
  [
    'OpenCode, whose command is a list',
    'opencode.json',
    '{\n  "mcp": {\n    "local": { "type": "local", "command": ["bun", "x", "my-server"], "enabled": true },\n    "remote": { "type": "remote", "url": "https://example.com" }\n  }\n}\n',
    ['local'],
  ],
  [
    'Codex',
    'config.toml',
    `model = "o5"

[mcp_servers.docs] # the docs
command = "npx"
args = [
  "-y", # yes
  'mcp-docs',
]
env = { "KEY" = "value" }

[mcp_servers."no arguments"]
command = 'run me'

[mcp_servers.remote]
url = "https://example.com/mcp"

[profiles.fast]
model = "o5-mini"
`,
    ['docs', 'no arguments'],
  ],
];

describe.each(CONFIGS)('%s', (_, file, text, servers) => {
  const edit = mcpClientEdit(file, CALL);

  test('starts its servers behind the proxy, and the rest stays', () => {
    expect(serversIn(text, file)).toEqual(servers);
    const wrapped = edit.add(text);
    expect(wrapped.split('/opt/unrut/dist/cli.js')).toHaveLength(servers.length + 1);
    expect(serversIn(wrapped, file)).toEqual(servers);
    for (const line of text
      .split('\n')
      .filter(
        (each) =>
          /example\.com|model =|globalShortcut|our servers/.test(each) && !each.includes('command'),
      )) {
      expect(wrapped).toContain(line);
    }
  });

  test('wrapping twice is wrapping once, and a form for another place is brought up to date', () => {
    const wrapped = edit.add(text);
    expect(edit.add(wrapped)).toBe(wrapped);
    expect(
      mcpClientEdit(file, {
        ...CALL,
        node: '/old/node',
        command: '/old/dist/cli.js',
        shadow: true,
      }).add(wrapped),
    ).not.toBe(wrapped);
    expect(
      edit.add(mcpClientEdit(file, { ...CALL, node: '/old/node', shadow: true }).add(text)),
    ).toBe(wrapped);
  });

  test('is what it was when the proxy is taken out, to the byte', () => {
    expect(edit.remove(edit.add(text))).toBe(text);
    expect(edit.remove(text)).toBe(text);
  });

  test('is so on disk too, and what was changed between stays', () => {
    const path = join(folder, file);
    const onDisk = mcpClientEdit(path, CALL);
    writeFileSync(path, text);
    for (const change of additions([onDisk])) performChange(change, []);
    expect(readFileSync(path, 'utf8')).toBe(onDisk.add(text));
    const changed = (whole: string) =>
      whole.replace('example.com', 'example.org').replace('globalShortcut', 'shortcut');
    writeFileSync(path, changed(readFileSync(path, 'utf8')));
    for (const change of removals([onDisk])) performChange(change, []);
    expect(readFileSync(path, 'utf8')).toBe(changed(text));
  });
});

test(
  'a client that reads such a config gets its server behind the proxy',
  async () => {
    const path = join(folder, 'real.json');
    const [command, ...args] = await serverCommand('everything', 'stdio');
    const text = JSON.stringify({ mcpServers: { everything: { command, args } } });
    const wrapped = mcpClientEdit(path, {
      node: process.execPath,
      command: bundledPrograms().cli,
      shadow: false,
    }).add(text);
    const { everything } = (
      JSON.parse(wrapped) as { mcpServers: Record<string, { command: string; args: string[] }> }
    ).mcpServers;
    const client = await connect([everything!.command, ...everything!.args]);
    for (let i = 0; i < 2; i++)
      await client.callTool({ name: 'echo', arguments: { message: 'again' } });
    expect(
      textOf(await client.callTool({ name: 'echo', arguments: { message: 'again' } })),
    ).toContain('Echo: again\nUnrut (loop guard): ');
    await client.close();
  },
  INSTALL_TIMEOUT,
);

test('what a client starts is Node with our command, then the server with its arguments', () => {
  const { mcpServers } = parse(
    mcpClientEdit('/home/dev/.mcp.json', { ...CALL, shadow: true }).add(CONFIGS[1]![2]),
  ) as {
    mcpServers: Record<string, { command: string; args: string[]; env: object }>;
  };
  expect(mcpServers.playwright).toEqual({
    type: 'stdio',
    command: '/usr/bin/node',
    args: [
      '/opt/unrut/dist/cli.js',
      'mcp',
      '--name',
      'playwright',
      '--notes',
      'strip-structured',
      '--shadow',
      'npx',
      '@playwright/mcp@latest',
    ],
    env: {},
  });
  expect(mcpServers.bare!.args.at(-1)).toBe('C:\\tools\\server.exe');
  expect(mcpServers.remote).toEqual({
    type: 'http',
    url: 'https://example.com/mcp',
    headers: { Authorization: 'Bearer ${TOKEN}' },
  });
});

test.each([
  [
    'there is no file',
    undefined,
    'Cannot read mcp.json: no such file. Expected the config of an MCP client.',
  ],
  ['it is broken', '{"mcpServers": {', 'is not valid JSON'],
])('%s: one line, and nothing is written', (_, text, said) => {
  expect(() => mcpClientEdit('mcp.json', CALL).add(text)).toThrow(said);
});

test('a config in YAML is said to be that, not to be broken', () => {
  expect(() => mcpClientEdit('config.yaml', CALL).add('extensions: {}\n')).toThrow(
    /got YAML\. Put `unrut mcp` before each server's command/,
  );
});
