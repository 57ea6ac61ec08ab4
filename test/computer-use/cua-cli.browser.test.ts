import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { installedChromium } from '../browser/chromium.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'unrut-cua-'));
afterAll(() => rmSync(folder, { recursive: true }));

const env = () => ({ ...process.env, CHROMIUM: installedChromium(), NO_COLOR: '1', UNRUT_HOME: join(folder, 'home'), HOME: folder });
const program = join(root, 'src/cli/main.ts');
const unrut = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', cwd: folder, env: env() });
const cua = (...args: string[]) => unrut('cua', ...args);

const pictures = (out: string): string[] => readdirSync(join(folder, out)).filter((name) => name.endsWith('.png'));
const example = join(root, 'examples/computer-use/task.yaml');

describe('unrut cua run', () => {
  it('runs the example, breaks its loop, and leaves something to look at', () => {
    const { status, stdout } = cua('run', example, '--out', 'one');
    expect(stdout).toMatch(/press Return {2}\(instead of click at \(80, 200\); press_return_for_submit\)/);
    expect(stdout).toMatch(/\nenv_done after \d+ steps/);
    expect(status).toBe(0);
    expect(existsSync(join(folder, 'one/001.png'))).toBe(true);
    expect(readFileSync(join(folder, 'one/index.html'), 'utf8')).not.toContain('Water the plants');
  });

  it('is in the ledger: `unrut stats` counts the forced action with what came of it, and `sessions` shows the run', () => {
    const { recoveries } = JSON.parse(unrut('stats', '--json').stdout) as {
      recoveries: { recovery: string; rung: string; plans: number }[];
    };
    expect(recoveries).toContainEqual(expect.objectContaining({ recovery: 'force-action', rung: 'substitute', plans: 1, recovered: 1 }));
    expect(unrut('sessions').stdout).toMatch(/cua-[\da-f]{4}/);
    expect(unrut('stats').stdout).toMatch(/force-action +substitute/);
  });

  it('runs when the database that the settings name is away, says so, and makes no file of its address', () => {
    const { status, stderr } = spawnSync(process.execPath, [program, 'cua', 'run', example, '--out', 'away'], {
      encoding: 'utf8',
      cwd: folder,
      env: { ...env(), UNRUT_LEDGER: 'postgres://somebody:correct-horse@127.0.0.1:9/unrut' },
    });
    expect(stderr).toMatch(/^\[unrut\] .*Cannot use .*127\.0\.0\.1.* This run is not recorded\.\n$/);
    expect(stderr).not.toContain('correct-horse');
    expect(status).toBe(0);
    expect(readdirSync(folder).filter((name) => name.startsWith('postgres'))).toEqual([]);
  });

  it('ends with 1 when it goes in circles', () => {
    const { status, stdout } = cua('run', example, '--off', 'loop-recovery', '--json');
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ termination_reason: 'loop', off: ['loop-recovery'] });
  });

  it('takes away the pictures of a longer run before it, and nothing else', () => {
    cua('run', example, '--out', 'again');
    const before = pictures('again');
    writeFileSync(join(folder, 'again/notes.txt'), 'Mine.');
    writeFileSync(join(folder, 'again/photo.png'), 'Mine, too.');
    cua('run', example, '--out', 'again', '--max-steps', '2');
    expect(before.length).toBeGreaterThan(3);
    expect(pictures('again')).toEqual(['001.png', '002.png', 'final.png', 'photo.png']);
    expect(existsSync(join(folder, 'again/notes.txt'))).toBe(true);
  });

  it.each([
    ['a run', []],
    ['paired runs', ['--ablate']],
  ])('writes nothing into a folder of somebody else: %s', (_, more) => {
    mkdirSync(join(folder, 'theirs'), { recursive: true });
    writeFileSync(join(folder, 'theirs/001.png'), 'A photograph.');
    writeFileSync(join(folder, 'theirs/trajectory.json'), '{"version": "7"}');
    const { status, stderr } = cua('run', example, '--out', 'theirs', ...more);
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/The folder theirs contains files that are not from an earlier run\. Choose an empty/),
    ]);
    expect(status).toBe(64);
    expect(readdirSync(join(folder, 'theirs'))).toEqual(['001.png', 'trajectory.json']);
    expect(readFileSync(join(folder, 'theirs/001.png'), 'utf8')).toBe('A photograph.');
  });

  it('prints a table of a paired run', () => {
    const { status, stdout } = cua('run', example, '--ablate', '--out', 'pairs');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^1 on +env_done .*press_return_for_submit 1 ×\n1 off +loop /m);
    expect(stdout).toContain('Succeeded: on 1 of 1, off 0 of 1 (turned off: loop-recovery).');
    expect(existsSync(join(folder, 'pairs/1-off/index.html'))).toBe(true);
    // The folder of pairs is known again.
    expect(cua('run', example, '--out', 'pairs', '--max-steps', '1').status).toBe(1);
  });

  it.each([
    ['invalid YAML', 'url: [', /is not valid YAML/],
    ['no address', 'task: x\nbrain: { kind: scripted, script: [] }', /Expected `url` to be a string, got nothing/],
    ['another address', 'url: "ftp://x"\ntask: x\nbrain: {}', /Expected `url` to be a URL that starts with http/],
    ['no brain', 'url: "http://127.0.0.1:9"\ntask: x', /Expected `brain` to be an object with a kind, got nothing/],
    [
      'a key in the file',
      'url: "http://x"\ntask: x\nbrain: { kind: openai, model: gpt, apiKey: k }',
      /set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY instead/,
    ],
    ['an unknown field', 'url: "http://x"\ntask: x\ntaks: y', /Unknown key `taks`\. Did you mean `task`\?/],
    [
      'a value from nowhere',
      'url: "http://x"\ntask: x\nbrain: { kind: scripted, script: [] }\nplan: { values: { A: { env: UNSET_FOR_SURE } } }',
      /UNSET_FOR_SURE, which is not set/,
    ],
    ['a page that cannot be opened', 'url: "http://127.0.0.1:9"\ntask: x\nbrain: { kind: scripted, script: [] }', /Cannot open http/],
  ])('says what is wrong with a task: %s', (_, text, message) => {
    writeFileSync(join(folder, 'task.yaml'), text);
    const { status, stderr } = cua('run', 'task.yaml');
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(status).toBe(2);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends by %s with what was done until then, and something to look at',
    async (signal) => {
      const out = `by-${signal}`;
      const task = join(folder, `${out}.yaml`);
      const steps = '{ action: { type: wait, seconds: 1 }, reasoning: Not yet. }';
      writeFileSync(
        task,
        `url: ${pathToFileURL(join(root, 'examples/computer-use/form.html'))}\ntask: Wait.\nbrain: { kind: scripted, script: [${steps}] }\nmaxSteps: 50\n`,
      );
      const child = spawn(process.execPath, [program, 'cua', 'run', task, '--out', out], { cwd: folder, env: env() });
      const said = text(child.stdout);
      await expect.poll(() => existsSync(join(folder, out, '002.png')), { timeout: 120_000 }).toBe(true);
      child.kill(signal);
      expect(await new Promise((done) => child.once('exit', done))).toBe(2);
      expect(await said).toMatch(/\ncancelled after \d+ steps/);
      expect(readFileSync(join(folder, out, 'index.html'), 'utf8')).toContain('cancelled');
      expect(
        (JSON.parse(readFileSync(join(folder, out, 'trajectory.json'), 'utf8')) as { trajectory: unknown[] }).trajectory.length,
      ).toBeGreaterThan(0);
    },
  );

  it('has help', () => {
    const { status, stdout } = cua('--help');
    expect(stdout).toMatch(/^unrut cua run \[options\] <task\.yaml>/);
    expect(status).toBe(0);
  });
});
