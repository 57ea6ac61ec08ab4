import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../scripts/build.ts';

/** The packages used on both sides of the proxy. */
const PACKAGES: Readonly<Record<string, string>> = {
  '@modelcontextprotocol/sdk': '1.32.2',
  '@modelcontextprotocol/client': '2.4.0',
  '@modelcontextprotocol/server': '2.4.0',
  '@modelcontextprotocol/server-everything': '2026.8.31',
  '@modelcontextprotocol/server-filesystem': '2026.8.31',
  '@playwright/mcp': '0.0.83',
  'chrome-devtools-mcp': '1.11.0',
};

/** The folder of another set of versions has another name. */
const FOLDER = join(
  tmpdir(),
  `unrut-mcp-${userInfo().username}`,
  Object.values(PACKAGES).join('-'),
);

/** For a hook that installs them. */
export const INSTALL_TIMEOUT = 600_000;

/**
 * The folder in whose `node_modules` the servers and clients are. The first time, they are
 * installed from npm.
 */
export async function installServers(): Promise<string> {
  if (existsSync(FOLDER)) return FOLDER;
  await mkdir(join(FOLDER, '..'), { recursive: true, mode: 0o700 });
  const staging = await mkdtemp(join(FOLDER, '../new-'));
  try {
    await writeFile(
      join(staging, 'package.json'),
      JSON.stringify({ private: true, type: 'module', dependencies: PACKAGES }),
    );
    const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` };
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: staging,
      env,
    });
    // Another test may have been faster.
    await rename(staging, FOLDER).catch(() => undefined);
  } catch (error) {
    const reason =
      (error as { stderr?: string }).stderr?.trim().split('\n')[0] || (error as Error).message;
    throw new Error(
      `These tests run real MCP servers, and \`npm install\` of them failed: ${reason}. Check the way to npm.`,
    );
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return FOLDER;
}

/** How each server is started; what follows is for it. */
const FILES = {
  everything: '@modelcontextprotocol/server-everything/dist/index.js',
  filesystem: '@modelcontextprotocol/server-filesystem/dist/index.js',
  playwright: '@playwright/mcp/cli.js',
  'chrome-devtools': 'chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js',
} as const;

/** The command that starts a real server. */
export async function serverCommand(
  name: keyof typeof FILES,
  ...args: readonly string[]
): Promise<string[]> {
  return [process.execPath, join(await installServers(), 'node_modules', FILES[name]), ...args];
}
