/**
 * Each command of the project writes its name there when it runs; next to the project, where no
 * agent looks.
 */
export const TRIES = 'tries';

const failing = (name: string, output: string): string =>
  `echo ${name} >> ../${TRIES}\necho '${output}'\nexit 1\n`;

/** The project that the agents work on. */
export const PROJECT = {
  'check.sh': failing('check', '1 failed: expected 2, got 3'),
  'lint.sh': failing('lint', 'sum.txt: the last line is empty'),
  'sum.txt': 'one 1\n',
  /** Fails in another way after each edit, until the fourth. */
  'test.sh': `echo test >> ../${TRIES}\ngrep -q 'one 4' sum.txt && echo '3 passed' || { echo "1 failed: expected 4, got $(cut -c5- sum.txt)"; exit 1; }\n`,
  /** Ready at the fourth look: some agents end a run after five equal calls. */
  'status.sh': `echo status >> ../${TRIES}\n[ $(grep -c status ../${TRIES}) -ge 4 ] && echo 'deploy d-77: live' || echo 'deploy d-77: pending'\n`,
};
