import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';

// Runs a command and keeps what goes in and what comes out, byte for byte: node tee.ts <file>
// <command…>
const [file, command, ...args] = process.argv.slice(2);
const child = spawn(command!, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const sent = createWriteStream(`${file}.in`);
const received = createWriteStream(`${file}.out`);
process.stdin.pipe(sent);
process.stdin.pipe(child.stdin);
child.stdout.pipe(received);
child.stdout.pipe(process.stdout);
child.on('close', (code) => {
  process.stdin.destroy();
  process.exitCode = code ?? 1;
});
