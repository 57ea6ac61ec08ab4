import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { readRoadmap, runRoadmap } from '@unrut/tasks';

const [folder = ''] = process.argv.slice(2);
const run = promisify(execFile);

/**
 * A run of three tasks that take three attempts each, by an agent that notes down each time it is
 * started.
 */
const roadmap = readRoadmap({
  tasks: ['A', 'B', 'C'].map((id) => ({
    id,
    prompt: 'Do it.',
    exitCriteria: `test $(grep -c '^${id}' finished) -ge 3`,
  })),
});
const ledger = createSqliteLedger({ path: `${folder}/ledger.db` });
console.log('ready');
const { ending } = await runRoadmap({
  roadmap,
  ledger,
  run: 'killed',
  folder,
  limits: { maxIterations: 1000 },
  async runAgent(_, { attemptSession }) {
    const { stdout } = await run(
      'sh',
      [
        '-c',
        'echo "$0" >> started; sleep 0.03; echo "$0" >> finished; echo "WORK: $0"',
        attemptSession,
      ],
      {
        cwd: folder,
      },
    );
    return { output: stdout, exitCode: 0 };
  },
});
await ledger.close();
console.log(ending);
