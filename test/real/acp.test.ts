import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { textOf } from '@unrut/engine/json';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../../scripts/build.ts';
import { installSdk, promptAgent } from './acp/editor.ts';
import { opencode } from './agents/opencode.ts';
import { INSTALL_TIMEOUT, installAgent, PATH } from './install-agent.ts';
import { startModelServer } from './model-server.ts';
import { PROJECT } from './project.ts';
import { insists, noLoop, type ScriptOf } from './scripts.ts';

beforeAll(async () => {
  await installSdk();
  await installAgent(opencode);
}, INSTALL_TIMEOUT);

function folderOf(): string {
  const folder = mkdtempSync(join(tmpdir(), 'unrut-acp-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An agent made with the SDK, behind `unrut acp` and before the SDK's client. */
async function withSdkAgent(manner: string, choice: string, settings: Record<string, string> = {}) {
  const cwd = folderOf();
  const sdk = join(await installSdk(), 'dist/v1/stable/acp.js');
  const env = {
    PATH,
    HOME: cwd,
    UNRUT_HOME: join(cwd, 'unrut'),
    ACP_SDK: sdk,
    MANNER: manner,
    ...settings,
  };
  const choose = (options: string[]): string => (options.includes('allow') ? 'allow' : choice);
  return promptAgent([process.execPath, join(root, 'test/real/acp/looping-agent.mjs')], {
    cwd,
    env,
    prompt: 'Get the check to pass.',
    choose,
  });
}

const callsIn = (updates: readonly { sessionUpdate?: unknown }[]): number =>
  updates.filter(({ sessionUpdate }) => sessionUpdate === 'tool_call').length;

describe('unrut acp, with an agent made with the SDK', () => {
  it('steers it, and the editor sees one turn', async () => {
    const { stopReason, updates, questions } = await withSdkAgent('learns', 'continue');
    expect(stopReason).toBe('end_turn');
    expect(JSON.stringify(updates)).toContain('I take another way.');
    expect(callsIn(updates)).toBeLessThan(7);
    expect(questions.every((options) => options.includes('allow'))).toBe(true);
  });

  it('refuses a futile call without a question, then asks, and stops it when the person wants that', async () => {
    const { stopReason, updates, questions } = await withSdkAgent('insists', 'stop');
    expect(stopReason).toBe('cancelled');
    expect(questions.filter((options) => options.includes('stop'))).toHaveLength(1);
    expect(questions.filter((options) => options.includes('allow')).length).toBeLessThan(
      callsIn(updates),
    );
    expect(callsIn(updates)).toBeLessThan(12);
  });

  it('stops it where nobody can be asked', async () => {
    const { stopReason, updates, questions } = await withSdkAgent('insists', 'none', {
      UNRUT_ATTENDED: 'false',
    });
    expect(stopReason).toBe('cancelled');
    expect(callsIn(updates)).toBeLessThan(12);
    expect(questions.every((options) => options.includes('allow'))).toBe(true);
    const said = updates.filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
    expect(textOf((said.at(-1)?.content as { text?: unknown } | undefined)?.text)).toMatch(/stop/i);
  });

  it('leaves one alone that gets on', async () => {
    const { stopReason, updates, questions } = await withSdkAgent('works', 'stop');
    expect([stopReason, callsIn(updates), questions.length]).toEqual(['end_turn', 25, 25]);
    expect(updates.some(({ sessionUpdate }) => sessionUpdate === 'agent_thought_chunk')).toBe(
      false,
    );
  });
});

/** OpenCode with a scripted model. */
async function withOpenCode(script: ScriptOf) {
  const cwd = folderOf();
  for (const [name, content] of Object.entries(PROJECT)) writeFileSync(join(cwd, name), content);
  const place = { home: cwd, project: cwd, url: '' };
  const model = await startModelServer(opencode.api, script(opencode, place));
  onTestFinished(() => model.close());
  for (const [name, content] of Object.entries(opencode.settings({ ...place, url: model.url }))) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  }
  const env = {
    PATH,
    HOME: cwd,
    UNRUT_HOME: join(cwd, 'unrut'),
    ...opencode.environment({ ...place, url: model.url }),
  };
  const choose = (options: string[]): string =>
    options.includes('continue') ? 'stop' : options[0]!;
  const saw = await promptAgent([await installAgent(opencode), 'acp'], {
    cwd,
    env,
    prompt: 'Get the check to pass.',
    choose,
  });
  return { ...saw, read: JSON.stringify(model.exchanges) };
}

describe('unrut acp, with OpenCode', () => {
  it('tells it in a turn of its own, and stops it when a person wants that', async () => {
    const { stopReason, read, questions } = await withOpenCode(insists);
    expect(read).toContain('Unrut (loop guard)');
    expect(['cancelled', 'end_turn']).toContain(stopReason);
    expect(questions.length).toBeLessThan(3);
  });

  it('says nothing when it gets on', async () => {
    const { stopReason, read, questions } = await withOpenCode(noLoop);
    expect([stopReason, read.includes('Unrut'), questions]).toEqual(['end_turn', false, []]);
  });
});
