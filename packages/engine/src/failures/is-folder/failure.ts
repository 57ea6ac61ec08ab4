import { quoted } from '../../text/shell-word.ts';
import { defineFailure, type OfferedArgs } from '../failure.ts';

export const isFolder = defineFailure({
  name: 'is-folder',
  means: 'the path is a folder, not a file',
  recognises: ({ error, world, said }) =>
    error && world !== 'page' && /\beisdir\b|\bis a directory\b/i.test(said),
  moves: [
    {
      name: 'list-it',
      base: 0.95,
      risk: 'read_only',
      by: ['file-list', 'shell'],
      does: 'list this folder, then name a file in it',
      reason: '',
      args({ path }, role): OfferedArgs | null {
        if (path === '') return null;
        return role === 'shell' ? { command: `ls -la -- ${quoted(path)}` } : { path };
      },
    },
  ],
});
