import { quoted } from '../../text/shell-word.ts';
import { defineFailure, type FailedTarget, type OfferedArgs } from '../failure.ts';
import { folderOf, nameOf } from '../path-parts.ts';

const MISSING =
  /no such file or directory|\benoent\b|file (?:was )?not found|file does not exist|(?:path|directory|folder) (?:was )?(?:not found|does not exist)|cannot find (?:the )?(?:path|file)|cannot access|filenotfounderror|cannot find module '[./]|is not a directory|\benotdir\b/i;

export const missingFile = defineFailure({
  name: 'missing-file',
  means: 'there is nothing at this path',
  recognises: ({ error, world, said }) => error && world !== 'page' && MISSING.test(said),
  names:
    /(?:ENOENT|no such file or directory)[^\n]{0,60}?['"]([^'"\n]{2,70})['"]|(?<![^\s'"])([\w@.~/\\-]{2,70})['"]?: no such file or directory|(?:not found|cannot access):? ['"]?([\w@.~/\\-]{2,70})(?=['"]?(?:[\s:,;]|$))/i,
  moves: [
    {
      name: 'list-folder',
      base: 0.95,
      risk: 'read_only',
      by: ['file-list', 'shell'],
      does: 'see what this folder holds, as the path that failed is not there',
      reason: 'the name may be spelled differently',
      args: listing,
    },
    {
      name: 'search-by-name',
      base: 0.85,
      risk: 'read_only',
      by: ['file-find', 'shell'],
      does: 'search for the name; it may be in a folder below this one',
      reason: '',
      args: searching,
    },
  ],
});

function listing({ path }: FailedTarget, role: string): OfferedArgs | null {
  if (path === '') return null;
  return role === 'shell'
    ? { command: `ls -la ${quoted(folderOf(path))}` }
    : { path: folderOf(path) };
}

function searching({ path }: FailedTarget, role: string): OfferedArgs | null {
  if (path === '') return null;
  return role === 'shell'
    ? { command: `find . -name ${quoted(nameOf(path))} -not -path '*/node_modules/*'` }
    : { pattern: `**/${nameOf(path)}` };
}
