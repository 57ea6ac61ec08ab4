import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { badAgent, makePlace, type Place } from './place.ts';

const PAGE = 4096;

const spoiled = (change: (bytes: Buffer) => void) => (path: string) => {
  const bytes = readFileSync(path);
  change(bytes);
  writeFileSync(path, bytes);
};

/** What happens to files: by a full disk, a bad disk, an editor, a sync program. */
const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  'cut to two thirds': (path) => truncateSync(path, Math.floor((statSync(path).size * 2) / 3)),
  'with ten pages garbled': spoiled((bytes) => {
    for (let page = 1; page <= 10; page++) bytes.fill(0xa5, page * PAGE, (page + 1) * PAGE);
  }),
  'with a garbled header': spoiled((bytes) => bytes.fill(0x5a, 0, 100)),
  'replaced by a text': (path) => writeFileSync(path, 'this is no database'),
};

const PROMPT = { file: 'PROMPT.md', args: ['PROMPT.md', '--max-iterations', '2'] };
const ROADMAP = { file: 'roadmap.yaml', args: ['roadmap.yaml', '--max-iterations', '2'] };

const FILES = {
  'PROMPT.md': 'Do it.\n',
  'roadmap.yaml': 'tasks:\n  - { id: T, prompt: Do it. }\n',
  '.gitignore': 'home\n',
};

type WithLedger = Place & { ledger: string };

function newPlace(git: boolean): WithLedger {
  const place = makePlace(FILES);
  if (git) execFileSync('git', ['init', '--quiet'], { cwd: place.folder });
  return { ...place, ledger: join(place.home, 'ledger.db') };
}

/** A run that ended at its limit, and the ledger that it left. */
async function ranToItsLimit({ args }: { args: string[] }, git: boolean): Promise<WithLedger> {
  const place = newPlace(git);
  const { code, stderr } = await place.unrut(
    ...args,
    '--',
    ...badAgent('leaves-a-mark', join(place.home, 'marks')),
  );
  expect(code, stderr).toBe(2);
  return place;
}

// Each damage meets a prompt and a roadmap, and a folder in git and one outside.
describe.each([
  ['a prompt, in git', PROMPT, true],
  ['a roadmap, outside git', ROADMAP, false],
])('the ledger of %s', (_, kind, git) => {
  let left: Promise<Buffer> | undefined;

  /** A place with such a ledger, damaged. */
  async function withDamaged(damage: (path: string) => void): Promise<WithLedger> {
    left ??= ranToItsLimit(kind, git).then(({ ledger }) => readFileSync(ledger));
    const place = newPlace(git);
    writeFileSync(place.ledger, await left);
    damage(place.ledger);
    return place;
  }

  it.each(Object.entries(DAMAGES))(
    '%s: the first line says so, where it is kept and what is lost, and the run can be started again',
    async (_how, damage) => {
      const { unrut, home, ledger } = await withDamaged(damage);
      const size = statSync(ledger).size;
      const first = await unrut('--resume');
      expect(first.code).toBe(64);
      expect(first.stderr.split('\n')[0]).toMatch(
        /^\[unrut\] The ledger was damaged and is set aside as .*ledger\.db\.corrupt-.* The runs in it are lost/,
      );
      const [kept] = readdirSync(home).filter(
        (name) => name.startsWith('ledger.db.corrupt-') && !/-(?:wal|shm)$/.test(name),
      );
      expect(statSync(join(home, kept!)).size).toBe(size);
      const later = await unrut('status');
      expect(later.stderr).toMatch(
        /^\[unrut\] No run was started in .* A damaged ledger is set aside as .*ledger\.db\.corrupt-/,
      );
      const again = await unrut(kind.file, '--', ...badAgent('says-done'));
      expect(again.code, again.stderr).toBe(0);
    },
  );

  it('emptied: the first line says so, and the run can be started again', async () => {
    const { unrut, ledger } = await withDamaged((path) => truncateSync(path, 0));
    const { code, stderr } = await unrut('--resume');
    expect(code).toBe(64);
    expect(stderr.split('\n')[0]).toBe(
      `[unrut] The ledger ${ledger} is empty. Runs that were in it are lost; it is begun again.`,
    );
    const again = await unrut(kind.file, '--', ...badAgent('says-done'));
    expect(again.code, again.stderr).toBe(0);
    expect(again.stderr).not.toContain('is empty');
  });

  it('undamaged is not spoken of, and the run continues: the twin', async () => {
    const { unrut, home } = await ranToItsLimit(kind, git);
    const { code, stderr } = await unrut(
      '--resume',
      '--max-iterations',
      '5',
      '--',
      ...badAgent('says-done'),
    );
    expect(code, stderr).toBe(0);
    expect(stderr).not.toMatch(/damaged|set aside as|is empty/);
    expect(readdirSync(home).filter((name) => name.includes('corrupt'))).toEqual([]);
  });
});
