import { spawn } from 'node:child_process';

// The minimum cost of a proxy: one more process between a client and its server.
//     node relay.ts <command…>
const [command, ...args] = process.argv.slice(2);
const child = spawn(command!, args, { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
child.on('close', (code) => {
  process.stdin.destroy();
  process.exitCode = code ?? 1;
});
