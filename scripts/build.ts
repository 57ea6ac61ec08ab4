import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const SHEBANG = '#!/usr/bin/env node';

/** The fields of package.json that building and packaging read. */
export interface Manifest {
  name: string;
  version: string;
  bin: Record<string, string>;
  exports: Record<string, string | Record<string, string>>;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** The repository's root: where package.json is. */
export const root: string = fileURLToPath(new URL('..', import.meta.url));

export const readManifest = (): Manifest => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

/** Emits the library: one `.js` and one `.d.ts` per source file. */
function compileLibrary(): void {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error(`tsc -p tsconfig.build.json exited with ${status}`);
}

/** Bundles the command line into one file, which starts faster than a tree of modules and reads no package.json. */
async function bundleCommand(manifest: Manifest): Promise<void> {
  const entry = join(root, 'src/cli/main.ts');
  const file = join(root, 'dist/cli.js');
  const complaints: string[] = [];
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    external: Object.keys(manifest.peerDependencies ?? {}),
    transform: { define: { UNRUT_VERSION: JSON.stringify(manifest.version) } },
    onLog: (_level, log) => void complaints.push(log.message.split('\n', 1)[0] ?? ''),
  });
  const banner = readFileSync(entry, 'utf8').startsWith('#!') ? '' : SHEBANG;
  await bundle.write({ file, format: 'esm', codeSplitting: false, banner });
  await bundle.close();
  if (complaints.length > 0) throw new Error(`rolldown: ${complaints.join('; ')}`);
  chmodSync(file, 0o755);
}

/** Makes `dist/` anew. Throws when anything in it cannot be made. */
export async function build(): Promise<void> {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  compileLibrary();
  await bundleCommand(readManifest());
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await build();
    console.log('Built dist/.');
  } catch (error) {
    console.error(`Build failed: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
