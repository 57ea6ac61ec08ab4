import { defineFailure } from '../failure.ts';

const MISSING =
  /no module named|modulenotfounderror|cannot find (?:module '[^./]|package)|could not resolve ['"][^./]|could not find a version|no matching distribution|\be404\b[^\n]{0,80}not found|is not in (?:this|the npm) registry|package [^\n]{0,60}is not (?:installed|in)/i;

export const missingPackage = defineFailure({
  name: 'missing-package',
  means: 'a package that it needs is not there',
  recognises: ({ error, shell, verb, said }) =>
    error && (shell || verb === 'execute' || verb === 'verify') && MISSING.test(said),
  moves: [
    {
      name: 'check-package-name',
      base: 0.95,
      risk: 'read_only',
      by: ['file-read', 'shell'],
      does: "compare its name with the project's list of dependencies and with its imports",
      reason: 'the name may be misspelled, or the package private',
    },
    {
      name: 'read-project-docs',
      base: 0.85,
      risk: 'read_only',
      by: ['file-read', 'shell'],
      does: "read in the project's own documentation how it is set up",
      reason: 'its packages may be installed in an environment of its own',
    },
    {
      name: 'use-alternative',
      base: 0.75,
      risk: 'reversible',
      does: 'do it with packages that are installed',
      reason: '',
    },
  ],
});
