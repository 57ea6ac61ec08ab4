import { quoted } from '../../text/shell-word.ts';
import { defineFailure } from '../failure.ts';

const MISMATCH =
  /string to replace not found|could not find (?:the )?(?:exact match|string|old ?string|text to replace)|old_?(?:string|str|text)[^\n]{0,60}\bnot found|not found in (?:the )?(?:file|content)\b|no match(?:es)? (?:was |were )?found for|failed to find (?:expected lines|context)|found \d+ (?:matches|occurrences)|multiple (?:matches|occurrences)|patch (?:does not apply|failed)|hunk[^\n]{0,30}failed|did not (?:match|appear verbatim)|has been (?:modified|changed) since|file has not been read/i;

export const editMismatch = defineFailure({
  name: 'edit-mismatch',
  means: 'the text to replace is not in the file as it was given',
  recognises: ({ error, verb, said }) => error && verb === 'write' && MISMATCH.test(said),
  moves: [
    {
      name: 'read-exact-lines',
      base: 0.95,
      risk: 'read_only',
      by: ['file-read', 'shell'],
      onTarget: true,
      does: 'read the exact lines again before the next edit',
      reason: 'spaces, tabs and earlier edits make them differ',
      args: ({ path, argument }, role) => {
        if (path === '') return null;
        return role === 'shell'
          ? { command: `cat -A -- ${quoted(path)} | head -200` }
          : { [argument]: path };
      },
    },
    {
      name: 'edit-less',
      base: 0.85,
      risk: 'reversible',
      by: ['file-edit'],
      onTarget: true,
      does: 'make a smaller edit, of one or two lines copied from the file',
      reason: '',
    },
    {
      name: 'rewrite-block',
      base: 0.75,
      risk: 'reversible',
      does: 'rewrite the whole block from what you just read',
      reason: '',
    },
  ],
});
