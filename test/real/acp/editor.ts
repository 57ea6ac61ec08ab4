import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { JsonObject } from '@unrut/engine/json';
import { onTestFinished } from 'vitest';
import { bundledPrograms } from '../../bundled-programs.ts';
import { installPackage } from '../install-agent.ts';

interface Session {
  sessionId: string;
  prompt(text: string): Promise<{ stopReason: string }>;
}
interface Context {
  request(method: string, params: object): Promise<unknown>;
  buildSession(cwd: string): { start(): Promise<Session> };
}
interface ClientApp {
  onRequest(method: string, handler: (context: { params: JsonObject }) => unknown): ClientApp;
  onNotification(method: string, handler: (context: { params: JsonObject }) => void): ClientApp;
  connectWith<T>(stream: unknown, op: (context: Context) => Promise<T>): Promise<T>;
}

export const installSdk = (): Promise<string> =>
  installPackage('@agentclientprotocol/sdk', '2.4.0');

/** What an editor sees of a turn. */
export interface EditorSaw {
  stopReason: string;
  updates: JsonObject[];
  /** The options of each question, by their ids. */
  questions: string[][];
}

/**
 * The SDK's own client as an editor: one prompt to an agent behind `unrut acp`, or to the agent
 * itself.
 */
export async function promptAgent(
  agent: readonly [string, ...string[]],
  {
    cwd,
    env,
    prompt,
    choose,
    bare = false,
  }: {
    cwd: string;
    env: Record<string, string>;
    prompt: string;
    bare?: boolean;
    choose(options: string[]): string;
  },
): Promise<EditorSaw> {
  const { client, ndJsonStream } = (await import(
    join(await installSdk(), 'dist/v1/stable/acp.js')
  )) as {
    client(): ClientApp;
    ndJsonStream(output: unknown, input: unknown): unknown;
  };
  const own = bare ? [] : [process.execPath, bundledPrograms().cli, 'acp', '--'];
  const [command, ...args] = [...own, ...agent];
  const child = spawn(command!, args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const saw: EditorSaw = { stopReason: '', updates: [], questions: [] };
  const editor = client()
    .onRequest('session/request_permission', ({ params }) => {
      const options = (params.options as JsonObject[]).map(({ optionId }) => String(optionId));
      saw.questions.push(options);
      return { outcome: { outcome: 'selected', optionId: choose(options) } };
    })
    .onNotification(
      'session/update',
      ({ params }) => void saw.updates.push(params.update as JsonObject),
    );
  await editor.connectWith(
    ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)),
    async (context) => {
      await context.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
      const { sessionId } = (await context.request('session/new', { cwd, mcpServers: [] })) as {
        sessionId: string;
      };
      const done = (await context.request('session/prompt', {
        sessionId,
        prompt: [{ type: 'text', text: prompt }],
      })) as {
        stopReason: string;
      };
      saw.stopReason = done.stopReason;
    },
  );
  child.stdin.end();
  return saw;
}
