import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { newFolder } from '../ledger-files.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The image's user, who owns nothing. */
const USER = '65532:65532';

/** As containers run: a read-only root, an unprivileged user, and no way to gain privileges. */
const INSIDE = `mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && mount -t proc proc "$0/proc" && \
  exec setpriv --no-new-privs --bounding-set -all,+sys_chroot,+setuid,+setgid chroot --userspec=${USER} "$0" "$@"`;

/** Whether this machine lets us do that. */
export const canIsolate: boolean =
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--mount', '--pid', '--fork', 'sh', '-c', 'mount --bind /tmp /tmp'])
    .status === 0;

/**
 * The files of the image, in a folder: Node, its libraries, the program, and the driver of the
 * database.
 */
export function imageRoot(): string {
  const root = join(newFolder(), 'image');
  const { status, stderr } = spawnSync(
    'sh',
    [join(ROOT, 'deploy/image-root.sh'), realpathSync(process.execPath), root],
    {
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(stderr);
  const program = join(root, 'app/node_modules/unrut');
  mkdirSync(join(program, 'dist'), { recursive: true });
  writeFileSync(join(program, 'package.json'), '{ "type": "module", "version": "0.0.0" }');
  cpSync(inject('programs'), join(program, 'dist'), { recursive: true });
  copyPackage('pg', join(ROOT, 'package.json'), join(root, 'app/node_modules'));
  return root;
}

/** A package and all that it needs. */
function copyPackage(name: string, from: string, to: string): void {
  if (existsSync(join(to, name))) return;
  const manifest = manifestOf(name, from);
  if (!manifest) return;
  cpSync(dirname(manifest), join(to, name), { recursive: true, dereference: true });
  const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  for (const each of Object.keys(dependencies)) copyPackage(each, manifest, to);
}

function manifestOf(name: string, from: string): string | undefined {
  const places = createRequire(from).resolve.paths(name) ?? [];
  return places.map((place) => join(place, name, 'package.json')).find((file) => existsSync(file));
}

/** A command of the image, under its user, on its root, which is read-only. */
export const startInImage = (
  root: string,
  command: readonly string[],
  env: Record<string, string>,
) =>
  spawn(
    'unshare',
    ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', INSIDE, root, ...command],
    {
      env: {
        PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        NODE_ENV: 'production',
        UNRUT_HOME: '/nonexistent',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );

/** A command of the Dockerfile as a list. */
export function inDockerfile(instruction: 'ENTRYPOINT' | 'CMD'): string[] {
  const lines = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8').split('\n');
  const line = lines.find((each) => each.startsWith(`${instruction} [`))!;
  return JSON.parse(line.slice(instruction.length)) as string[];
}
