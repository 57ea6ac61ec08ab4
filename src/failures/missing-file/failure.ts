import { defineFailure, type FailedTarget, type OfferedArgs } from '../failure.ts';
import { folderOf, nameOf, quoted } from '../path-parts.ts';

const MISSING =
  /no such file or directory|\benoent\b|file (?:was )?not found|file does not exist|(?:path|directory|folder) (?:was )?(?:not found|does not exist)|cannot find (?:the )?(?:path|file)|cannot access|filenotfounderror|cannot find module '[./]|is not a directory|\benotdir\b/i;

export const missingFile = defineFailure({
  name: 'missing-file',
  means: 'there is nothing at this path',
  recognises: ({ error, world, said }) => error && world !== 'page' && MISSING.test(said),
  moves: [
    {
      name: 'list-folder',
      base: 0.95,
      risk: 'read_only',
      by: ['file-list', 'shell'],
      does: 'list the folder where it should be',
      reason: 'the name may be spelled differently',
      args: listing,
    },
    {
      name: 'search-by-name',
      base: 0.85,
      risk: 'read_only',
      by: ['file-find', 'shell'],
      does: 'search for it by name',
      reason: 'it may be in another folder',
      args: searching,
    },
  ],
});

function listing({ path }: FailedTarget, role: string): OfferedArgs | null {
  if (path === '') return null;
  return role === 'shell' ? { command: `ls -la ${quoted(folderOf(path))}` } : { path: folderOf(path) };
}

function searching({ path }: FailedTarget, role: string): OfferedArgs | null {
  if (path === '') return null;
  return role === 'shell'
    ? { command: `find . -name ${quoted(nameOf(path))} -not -path '*/node_modules/*'` }
    : { path: folderOf(path), pattern: `**/${nameOf(path)}` };
}
