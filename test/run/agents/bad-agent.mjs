// An agent that behaves in one known way: `bad-agent.mjs <behaviour> [argument]`.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

const [behaviour, argument] = process.argv.slice(2);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const BEHAVIOURS = {
  'same-fix': () => console.log('Fixed auth.ts - added null check'),
  'same-error': () => {
    console.log("Error: TypeError - Cannot read property 'id' of null at auth.ts:45");
    process.exitCode = 1;
  },
  'other-errors': async () => {
    console.log(
      `Error: ${['no route to host', 'the disk is full', 'segment 7 is missing', 'unknown colour'][count() % 4]}`,
    );
    process.exitCode = 1;
  },
  'falls-to-none': () => {
    const left = Math.max(0, 5 - count());
    console.log(
      left === 0
        ? 'All tests pass.\nTASK_COMPLETE'
        : `${left} tests failing - ${['a', 'b', 'c', 'd', 'e'].slice(0, left).join(', ')}`,
    );
  },
  hangs: () => sleep(600_000),
  'marks-and-hangs': async () => {
    appendFileSync(argument, `${process.pid}\n`);
    await sleep(600_000);
  },
  'ignores-signals': async () => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
    console.log('ready');
    await sleep(600_000);
  },
  floods: async () => {
    const piece = `${'lorem ipsum '.repeat(5461)}\n`;
    for (let left = Number(argument); left > 0; left -= piece.length)
      if (!process.stdout.write(piece))
        await new Promise((resolve) => process.stdout.once('drain', resolve));
    console.log('TASK_COMPLETE');
  },
  dies: () => process.kill(process.pid, argument),
  'prints-an-error': () => console.log('API Error: 529 overloaded'),
  asks: async () => {
    process.stdout.write('Overwrite cart.ts? [y/N] ');
    const answer = await text(process.stdin);
    if (answer === '') process.exitCode = 1;
  },
  forks: async () => {
    // One in the group, one that has left it, one whose parent is gone.
    const child = `setInterval(() => {}, 1000)`;
    const options = { stdio: 'inherit' };
    const pids = [
      spawn(process.execPath, ['-e', child], options).pid,
      spawn(process.execPath, ['-e', child], { ...options, detached: true }).pid,
      spawn('/bin/sh', ['-c', `setsid ${process.execPath} -e '${child}' & echo $!; sleep 0.2`], {
        stdio: ['ignore', 'inherit', 'inherit'],
      }).pid,
    ];
    appendFileSync(argument, `${pids.join('\n')}\n`);
    await sleep(800);
    console.log('Started a server.');
    process.exit(0);
  },
  echoes: async () => process.stdout.write(await text(process.stdin)),
  'leaves-a-mark': async () => {
    appendFileSync(argument, 'begun\n');
    await sleep(30);
    appendFileSync(argument, 'ended\n');
    console.log(`Wrote chapter ${count()} of the book.`);
  },
  'keeps-prompts': async () => {
    appendFileSync(argument, `${await text(process.stdin)}\n=====\n`);
    console.log('Fixed auth.ts - added null check');
  },
  'says-done': () => console.log('All done.\nTASK_COMPLETE'),
};

/** How often it has been run in this folder. */
function count() {
  const file = 'count.txt';
  const before = existsSync(file) ? readFileSync(file, 'utf8').length : 0;
  appendFileSync(file, 'x');
  return before;
}

await BEHAVIOURS[behaviour]();
