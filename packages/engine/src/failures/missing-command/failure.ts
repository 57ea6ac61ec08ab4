import { defineFailure } from '../failure.ts';

const MISSING =
  /command not found|: not found\s*$|not recognized as (?:an internal|the name)|no such command|unknown command|executable (?:file )?not found|missing script|class not found|exit(?:ed with)? code:? 127/im;

export const missingCommand = defineFailure({
  name: 'missing-command',
  means: 'a program that it needs is not there',
  recognises: ({ error, shell, verb, said }) =>
    error && (shell || verb === 'execute' || verb === 'verify') && MISSING.test(said),
  moves: [
    {
      name: 'check-installed',
      base: 0.95,
      risk: 'read_only',
      by: ['shell', 'file-list'],
      does: 'check what is installed',
      reason: 'it may have another name or be in a project folder',
      args: (_, role) =>
        role === 'shell'
          ? { command: 'ls; ls node_modules/.bin .venv/bin vendor/bin 2>/dev/null | head -100' }
          : null,
    },
    {
      name: 'read-project-docs',
      base: 0.85,
      risk: 'read_only',
      by: ['file-read', 'shell'],
      does: "read the project's own documentation and its list of scripts",
      reason: '',
    },
    {
      name: 'use-alternative',
      base: 0.75,
      risk: 'reversible',
      does: 'do it with what is installed',
      reason: '',
    },
  ],
});
