import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { canIsolate, imageRoot, inDockerfile, startInImage } from './image.ts';

const entry = inDockerfile('ENTRYPOINT');

test.runIf(canIsolate)('the image runs as nobody, on a root that is read-only', async () => {
  const root = await imageRoot();
  const run = async (...command: string[]) => {
    const child = startInImage(root, command, {});
    const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { out, error, code };
  };
  expect(await run(...entry, '--version')).toMatchObject({ code: 0, error: '' });
  const script = `
    const { writeFileSync, existsSync } = require('node:fs');
    const tries = ['/x', '/tmp/x', '/app/x'].map((file) => { try { writeFileSync(file, ''); return 'written'; } catch (error) { return error.code; } });
    console.log(JSON.stringify({ uid: process.getuid(), gid: process.getgid(), groups: process.getgroups(), tries, shell: existsSync('/bin/sh') }));`;
  const { out } = await run('node', '-e', script);
  expect(JSON.parse(out)).toEqual({ uid: 65532, gid: 65532, groups: [65532], tries: ['EROFS', 'EROFS', 'EROFS'], shell: false });
});
