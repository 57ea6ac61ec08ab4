import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOpencodePlugin } from '../../packages/agents/src/hosts/opencode/plugin.ts';

/** A hook that stores its input and answers with a text, and the plugin that calls it. */
function pluginWith(answer: string, host: Parameters<typeof createOpencodePlugin>[0] = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'unrut-opencode-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const hook = join(folder, 'hook.sh');
  writeFileSync(
    hook,
    `#!/bin/sh\ncat >> '${folder}/told'; echo >> '${folder}/told'\ncat '${folder}/answer'\n`,
  );
  writeFileSync(join(folder, 'answer'), answer);
  chmodSync(hook, 0o755);
  const told = () =>
    readFileSync(join(folder, 'told'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  return { plugin: createOpencodePlugin(host, [hook]), told };
}

const called = { tool: 'bash', sessionID: 's', callID: 'c' };
const failure = (sessionID = 's') => ({
  type: 'message.part.updated',
  properties: {
    part: {
      type: 'tool',
      tool: 'read',
      callID: 'c',
      sessionID,
      state: { status: 'error', error: 'missing' },
    },
  },
});

describe('the plugin of OpenCode', () => {
  it('refuses a call by throwing what the model is to read, and does not report that failure', async () => {
    const { plugin, told } = pluginWith('{"refuse":"Not again."}');
    await expect(plugin['tool.execute.before'](called, { args: {} })).rejects.toThrow(
      /^Not again\.$/,
    );
    await plugin.event({ event: failure() });
    expect(told()).toHaveLength(1);
  });

  it('adds a note to a result, be it a text or content', async () => {
    const { plugin } = pluginWith('{"append":"Note: x"}');
    const text = { output: 'out\n', metadata: { exit: 1 } };
    await plugin['tool.execute.after'](called, text);
    expect(text.output).toBe('out\n\nNote: x');
    const content = { content: [{ type: 'text', text: 'out' }] };
    await plugin['tool.execute.after'](called, content);
    expect(content.content.at(-1)).toEqual({ type: 'text', text: 'Note: x' });
  });

  it('adds a note to a failure whenever the model is shown it, once', async () => {
    const { plugin } = pluginWith('{"append":"Note: x"}');
    void plugin.event({ event: failure() });
    const part = { type: 'tool', callID: 'c', state: { status: 'error', error: 'missing' } };
    const other = { type: 'tool', callID: 'd', state: { status: 'error', error: 'missing' } };
    for (let i = 0; i < 2; i++)
      await plugin['experimental.chat.messages.transform'](
        {},
        { messages: [{ parts: [part, other] }] },
      );
    expect([part.state.error, other.state.error]).toEqual(['missing\n\nNote: x', 'missing']);
  });

  it('tells of nested agents as agents of the session that a person speaks to', async () => {
    const { plugin, told } = pluginWith('');
    await plugin.event({
      event: { type: 'session.created', properties: { info: { id: 'child', parentID: 's' } } },
    });
    await plugin.event({
      event: {
        type: 'session.created',
        properties: { info: { id: 'grandchild', parentID: 'child' } },
      },
    });
    await plugin['tool.execute.before']({ ...called, sessionID: 'grandchild' }, { args: {} });
    await plugin['tool.execute.before'](called, { args: {} });
    expect(told().map(({ session, agent }) => [session, agent])).toEqual([
      ['s', 'grandchild'],
      ['s', undefined],
    ]);
  });

  it('ends the run, and shows the person why', async () => {
    const done: unknown[] = [];
    const client = {
      session: { abort: async (options: unknown) => done.push(options) },
      tui: {
        showToast: async ({ body }: { body: { message: string } }) => done.push(body.message),
      },
    };
    const { plugin } = pluginWith('{"stop":true,"show":"Stopped.","append":"x"}', { client });
    await plugin['tool.execute.after'](called, { output: '' });
    expect(done).toEqual(['Stopped.', { path: { id: 's' } }]);
  });

  it.each([
    ['is missing', ['/nowhere/hook']],
    ['crashes', ['/bin/false']],
    ['says what is no JSON', ['/bin/echo', 'oops']],
    ['does not listen', ['/bin/true']],
  ])('does nothing when the hook %s', async (_, command) => {
    const plugin = createOpencodePlugin({}, command);
    const result = { output: 'out' };
    await plugin['tool.execute.before'](called, { args: { text: 'x'.repeat(1_000_000) } });
    await plugin['tool.execute.after'](called, result);
    await plugin.event({ event: failure() });
    expect(result.output).toBe('out');
  });

  it('does nothing when OpenCode cannot do what is asked', async () => {
    const client = { session: { abort: () => Promise.reject(new Error('gone')) }, tui: {} };
    const { plugin } = pluginWith('{"stop":true,"show":"Stopped."}', { client });
    await expect(plugin['tool.execute.after'](called, { output: '' })).resolves.toBeUndefined();
  });
});
