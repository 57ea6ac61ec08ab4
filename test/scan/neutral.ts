/** Steps in the neutral form. */
export interface Step {
  i: number;
  role: string;
  kind: string;
  tool?: string;
  args?: unknown;
  result?: unknown;
  is_error?: boolean;
  text?: string;
  ts?: string;
}

export const person = (i: number, text: string): Step => ({
  i,
  role: 'user',
  kind: 'message',
  text,
});
export const message = (i: number, text: string): Step => ({
  i,
  role: 'assistant',
  kind: 'message',
  text,
});
export const call = (i: number, tool: string, args: unknown, result: unknown): Step => ({
  i,
  role: 'assistant',
  kind: 'tool_call',
  tool,
  args,
  result,
});

export const lines = (steps: readonly unknown[]): string =>
  steps.map((step) => `${JSON.stringify(step)}\n`).join('');

/**
 * A run that reads a missing file again and again, from step 1 on: what a person says is no step.
 */
export const stuck = (times = 6): Step[] => [
  person(0, 'Fix the build.'),
  call(1, 'Bash', { command: 'ls' }, 'README.md\nsrc\npackage.json'),
  ...Array.from({ length: times }, (_, n) =>
    call(
      2 + n,
      'Read',
      { file_path: '/home/dev/project/missing.ts' },
      'Error: ENOENT: no such file or directory',
    ),
  ),
];

/** A run that gets on. */
export const busy = (): Step[] => [
  person(0, 'Have a look around.'),
  ...Array.from({ length: 8 }, (_, n) =>
    call(
      1 + n,
      'Read',
      { file_path: `/home/dev/project/file-${n}.ts` },
      `export const name${n} = '${'abcdefgh'[n]}${n * 7919}';`,
    ),
  ),
  message(9, 'That is all there is.'),
];
