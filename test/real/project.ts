/** Each command of the project writes its name there when it runs; beside the project, where no agent looks. */
export const TRIES = 'tries';

const failing = (name: string, output: string): string => `echo ${name} >> ../${TRIES}\necho '${output}'\nexit 1\n`;

/** The project that the agents work on. */
export const PROJECT = {
  'check.sh': failing('check', '1 failed: expected 2, got 3'),
  'lint.sh': failing('lint', 'sum.txt: the last line is empty'),
  'sum.txt': 'one 1\n',
};
