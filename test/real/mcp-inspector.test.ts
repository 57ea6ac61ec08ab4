import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { serverCommand } from '../mcp/install-servers.ts';
import { INSTALL_TIMEOUT, installPackages, PATH } from './install-agent.ts';
import { installProxy } from './install-unrut.ts';
import { newPlace } from './run-agent.ts';

it(
  'the command line of MCP Inspector takes a config into which the proxy was put',
  async () => {
    const inspector = await installPackages('inspector-0.15.0', {
      '@modelcontextprotocol/inspector': '0.15.0',
    });
    const place = newPlace('inspector');
    const config = join(place.project, 'mcp.json');
    const [command, ...args] = await serverCommand('everything', 'stdio');
    writeFileSync(config, JSON.stringify({ mcpServers: { everything: { command, args } } }));
    const tools = async (): Promise<string[]> => {
      const program = join(inspector, 'node_modules/.bin/mcp-inspector');
      const asked = [
        '--cli',
        '--config',
        config,
        '--server',
        'everything',
        '--method',
        'tools/list',
      ];
      const { stdout } = await promisify(execFile)(program, asked, {
        env: { ...process.env, PATH, HOME: place.home },
      });
      return (JSON.parse(stdout) as { tools: { name: string }[] }).tools.map(({ name }) => name);
    };
    const bare = await tools();
    expect(bare).toContain('echo');
    await installProxy(place, config);
    expect(readFileSync(config, 'utf8')).toContain('"mcp"');
    expect(await tools()).toEqual(bare);
  },
  INSTALL_TIMEOUT,
);
