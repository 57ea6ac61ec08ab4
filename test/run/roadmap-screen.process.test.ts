import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { newFolder } from '../ledger-files.ts';
import { root } from '../structure/tree.ts';
import { badAgent, makePlace } from './place.ts';

const roadmapOf = (count: number): string =>
  `tasks:\n${Array.from({ length: count }, (_, i) => `  - { id: T${i + 1}, prompt: Do it. }\n`).join('')}`;

describe('on the screen', () => {
  it('--watch says that it waits and until when, and works on what is added', async () => {
    const { start, folder, home } = makePlace({ 'roadmap.yaml': roadmapOf(1) });
    const { pid, ended } = await start('roadmap.yaml', '--watch', '--', ...badAgent('says-done'));
    const log = (): string =>
      existsSync(join(home, 'run.log')) ? readFileSync(join(home, 'run.log'), 'utf8') : '';
    await vi.waitFor(
      () => expect(log()).toMatch(/Waiting for the roadmap to change; next look in \d+ s\./),
      { timeout: 60_000 },
    );
    writeFileSync(join(folder, 'roadmap.yaml'), roadmapOf(2));
    await vi.waitFor(() => expect(log()).toContain('task T2: done'), { timeout: 60_000 });
    process.kill(pid, 'SIGINT');
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toContain('Waiting for the roadmap to change');
  });

  it.each([
    [3, 3],
    [25, 0],
  ])(
    'the summary of %i tasks that are done has %i lines of them, and counts the rest',
    async (count, lines) => {
      const { code, stderr } = await makePlace({ 'roadmap.yaml': roadmapOf(count) }).unrut(
        'roadmap.yaml',
        '--',
        ...badAgent('says-done'),
      );
      expect(code, stderr).toBe(0);
      expect(stderr.match(/^.*T\d+: done, 1 attempt$/gm) ?? []).toHaveLength(lines);
      expect(stderr.includes('Of all 25 tasks: 25 done. All of them: unrut run status')).toBe(
        count === 25,
      );
      expect(stderr).not.toContain('Waiting for the roadmap');
    },
  );
});

describe('what is wrong', () => {
  it('with several tasks of a roadmap is said together', async () => {
    const text =
      'tasks:\n  - { id: A }\n  - { prompt: x }\n  - { id: C, prompt: x, status: open }\n  - { id: D, prompt: x }\n';
    const { code, stderr } = await makePlace({ 'roadmap.yaml': text }).unrut(
      'roadmap.yaml',
      '--',
      ...badAgent('says-done'),
    );
    expect(code).toBe(64);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    for (const wrong of [
      'task A: Expected `prompt`',
      'task 2: Expected `id`',
      'task C: Expected `status`',
    ])
      expect(stderr).toContain(wrong);
    expect(stderr).not.toContain('task D');
  });

  it('with a Node without SQLite the library says so', () => {
    // As Node 20 has it: there is no such module.
    const preload = join(newFolder(), 'old.cjs');
    writeFileSync(
      preload,
      `const get = process.getBuiltinModule; process.getBuiltinModule = (name) => (name === 'node:sqlite' ? undefined : get(name));
       Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });\n`,
    );
    const code = `import { createSqliteLedger } from ${JSON.stringify(join(root, 'packages/ledger/src/sqlite/index.ts'))};
      const say = (error) => console.log(error.name, error.code, error.message);
      try { await createSqliteLedger({ path: ${JSON.stringify(join(newFolder(), 'ledger.db'))} }).sessions().catch(say); } catch (error) { say(error); }`;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--require', preload, '--input-type=module', '--eval', code],
      {
        encoding: 'utf8',
      },
    );
    expect(stdout, stderr).toMatch(/^UnrutError old-node .*Needs Node 22\.13 or later; this is v/);
    expect(stdout).not.toContain('Cannot destructure');
  });
});
