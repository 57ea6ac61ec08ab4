import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { installedChromium } from '../browser/chromium.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'unrut-cua-'));
afterAll(() => rmSync(folder, { recursive: true }));

const env = () => ({
  ...process.env,
  CHROMIUM: installedChromium(),
  NO_COLOR: '1',
  UNRUT_HOME: join(folder, 'home'),
  HOME: folder,
});
const program = join(root, 'packages/cli/src/main.ts');
const unrut = (...args: string[]) =>
  spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', cwd: folder, env: env() });
const cua = (...args: string[]) => unrut('cua', ...args);

const pictures = (out: string): string[] =>
  readdirSync(join(folder, out)).filter((name) => name.endsWith('.png'));
const example = join(root, 'examples/computer-use/task.yaml');

describe('unrut cua run', () => {
  it('runs the example, breaks its loop, and leaves something to look at', () => {
    const { status, stdout } = cua('run', example, '--out', 'one');
    expect(stdout).toMatch(
      /press Return {2}\(instead of click at \(80, 200\); press_return_for_submit\)/,
    );
    expect(stdout).toMatch(/\nenv_done after \d+ steps/);
    expect(status).toBe(0);
    expect(existsSync(join(folder, 'one/001.png'))).toBe(true);
    expect(readFileSync(join(folder, 'one/index.html'), 'utf8')).not.toContain('Water the plants');
  });

  it('is in the ledger: `unrut stats` counts the forced action with its outcome, and `sessions` shows the run', () => {
    const { recoveries } = JSON.parse(unrut('stats', '--json').stdout) as {
      recoveries: { recovery: string; rung: string; plans: number }[];
    };
    expect(recoveries).toContainEqual(
      expect.objectContaining({
        recovery: 'force-action',
        rung: 'substitute',
        plans: 1,
        recovered: 1,
      }),
    );
    expect(unrut('show', '--list').stdout).toMatch(/cua-[\da-f]{4}/);
    expect(unrut('stats').stdout).toMatch(/force-action +substitute/);
  });

  it('a run that ends as a loop is listed with a loop, and `stats` adds up endings and reason codes', () => {
    writeFileSync(
      join(folder, 'dead.html'),
      '<h1>Almost there</h1><button type="button" style="width: 200px; height: 60px">Picture</button>',
    );
    const click = { action: { type: 'click', x: 100, y: 100 } };
    const task = {
      url: 'dead.html',
      task: 'Save it.',
      brain: { kind: 'scripted', script: Array(12).fill(click) },
    };
    writeFileSync(join(folder, 'dead.yaml'), JSON.stringify(task));
    const { stdout, stderr } = cua('run', 'dead.yaml', '--out', 'dead', '--allow', 'loop-recovery');
    expect(stdout, stderr).toMatch(/\nloop after \d+ steps/);
    const { sessions } = JSON.parse(unrut('sessions', '--json').stdout) as {
      sessions: { loops: number; outcome?: string }[];
    };
    expect(Math.max(...sessions.map(({ loops }) => loops))).toBeGreaterThan(0);
    const { loops, screens } = JSON.parse(unrut('stats', '--json').stdout) as {
      loops: number;
      screens: object;
    };
    expect(loops).toBeGreaterThan(0);
    expect(screens).toEqual({
      runs: 2,
      endings: { env_done: 1, loop: 1 },
      loop_recoveries_by_reason: { press_return_for_submit: 1 },
      done_rejections_by_reason: {},
    });
    expect(unrut('stats').stdout).toMatch(/press_return_for_submit +1/);
    expect(cua('run', 'dead.yaml', '--allow', 'everything').stderr).toMatch(/--allow takes /);
  });

  it('reports wrong settings, of Unrut and of the task, and runs by the sound ones', () => {
    const home = mkdtempSync(join(folder, 'wrong-'));
    const click = { action: { type: 'click', x: 100, y: 100 } };
    const brain = { kind: 'scripted', script: Array(5).fill(click) };
    const task = { url: 'dead.html', task: 'Save it.', brain, off: ['everything'], maxSteps: 4 };
    writeFileSync(join(folder, 'wrong.yaml'), JSON.stringify({ ...task, viewport: 'large' }));
    const variables = { UNRUT_HOME: home, UNRUT_ALLOW: 'nonsense', UNRUT_NUDGE: 'perhaps' };
    const args = [program, 'cua', 'run', 'wrong.yaml', '--out', 'wrong'];
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      cwd: folder,
      env: { ...env(), ...variables },
    });
    expect(stdout, stderr).toMatch(/\nmax_steps after 4 steps/);
    for (const name of ['off[0]', 'viewport', 'UNRUT_ALLOW[0]', 'UNRUT_NUDGE'])
      expect(stderr).toContain(`Expected \`${name}\``);
    expect(stderr.trim().split('\n')).toHaveLength(4);
  });

  it('runs when the database that the settings name is away, says so, and makes no file of its address', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [program, 'cua', 'run', example, '--out', 'away'],
      {
        encoding: 'utf8',
        cwd: folder,
        env: { ...env(), UNRUT_LEDGER: 'postgres://somebody:correct-horse@127.0.0.1:9/unrut' },
      },
    );
    expect(stderr).toMatch(
      /^\[unrut\] .*Cannot use .*127\.0\.0\.1.* This run is not recorded\.\n$/,
    );
    expect(stderr).not.toContain('correct-horse');
    expect(status).toBe(0);
    expect(readdirSync(folder).filter((name) => name.startsWith('postgres'))).toEqual([]);
  });

  it('ends with 1 when it goes in circles', () => {
    const { status, stdout } = cua('run', example, '--off', 'loop-recovery', '--json');
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      termination_reason: 'loop',
      off: ['loop-recovery'],
    });
  });

  it('takes away the pictures of a longer run before it, and nothing else', () => {
    const before = pictures('one');
    writeFileSync(join(folder, 'one/notes.txt'), 'Mine.');
    writeFileSync(join(folder, 'one/photo.png'), 'Mine, too.');
    cua('run', example, '--out', 'one', '--max-steps', '2');
    expect(before.length).toBeGreaterThan(3);
    expect(pictures('one')).toEqual(['001.png', '002.png', 'final.png', 'photo.png']);
    expect(existsSync(join(folder, 'one/notes.txt'))).toBe(true);
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

  it('says when a page cannot be opened', () => {
    writeFileSync(
      join(folder, 'task.yaml'),
      'url: "http://127.0.0.1:9"\ntask: x\nbrain: { kind: scripted, script: [] }',
    );
    const { status, stderr } = cua('run', 'task.yaml');
    expect(stderr).toMatch(/Cannot open http/);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(status).toBe(2);
  });

  it('ends when it is asked to, with what was done until then, and something to look at', async () => {
    const task = join(folder, 'stopped.yaml');
    const steps = '{ action: { type: wait, seconds: 1 }, reasoning: Not yet. }';
    writeFileSync(
      task,
      `url: ${pathToFileURL(join(root, 'examples/computer-use/form.html'))}\ntask: Wait.\nbrain: { kind: scripted, script: [${steps}] }\nmaxSteps: 50\n`,
    );
    const child = spawn(process.execPath, [program, 'cua', 'run', task, '--out', 'stopped'], {
      cwd: folder,
      env: env(),
    });
    const said = text(child.stdout);
    await expect
      .poll(() => existsSync(join(folder, 'stopped/002.png')), { timeout: 120_000 })
      .toBe(true);
    // The other signals do the same (`until-stopped.test.ts`).
    child.kill('SIGHUP');
    expect(await new Promise((done) => child.once('exit', done))).toBe(2);
    expect(await said).toMatch(/\ncancelled after \d+ steps/);
    expect(readFileSync(join(folder, 'stopped/index.html'), 'utf8')).toContain('cancelled');
    const { trajectory } = JSON.parse(
      readFileSync(join(folder, 'stopped/trajectory.json'), 'utf8'),
    ) as { trajectory: unknown[] };
    expect(trajectory.length).toBeGreaterThan(0);
  });
});
