import { defineFailure, type OfferedArgs } from '../failure.ts';

const OPEN =
  /does not handle the modal state|(?:dialog|file chooser)[^\n]{0,40}\b(?:is|was|already) open|open dialog|call handle_dialog|unexpected alert open/i;

export const openDialog = defineFailure({
  name: 'open-dialog',
  means: 'a dialog or file chooser is open, and nothing else works until it is closed',
  recognises: ({ error, world, said }) => error && world === 'page' && OPEN.test(said),
  moves: [
    {
      name: 'close-dialog',
      base: 0.95,
      risk: 'reversible',
      by: ['page-dialog', 'page-chooser'],
      does: 'close the open dialog or file chooser without confirming it, then go on',
      reason: 'nothing else works until it is closed',
      args(_, role, tool): OfferedArgs | null {
        if (role !== 'page-dialog') return null;
        return tool.includes('browser_') ? { accept: false } : { action: 'dismiss' };
      },
    },
    {
      name: 'ask-about-dialog',
      base: 0.8,
      risk: 'read_only',
      by: ['ask'],
      does: 'if it must be confirmed or needs a file, ask the user first',
      reason: '',
    },
  ],
});
