import { workerData } from 'node:worker_threads';

/** Seconds of processor time in which every test ends, whatever else the machine does. */
const LIMIT = 15;

/**
 * Ends the process when it computes for too long without beginning another test: its own thread
 * cannot, being in a loop without end.
 */
const beats = workerData as Int32Array;
let beat = -1;
let since = 0;
setInterval(() => {
  const { user, system } = process.cpuUsage();
  const spent = (user + system) / 1e6;
  if (Atomics.load(beats, 0) !== beat) {
    beat = Atomics.load(beats, 0);
    since = spent;
  } else if (spent - since > LIMIT) process.kill(process.pid, 'SIGKILL');
}, 1000);
