import { mkdirSync, writeFileSync } from 'node:fs';
import { measureEngine } from './engine.ts';
import { measureGatewayStream, measureGatewayWork } from './gateway.ts';
import { measureGrowth, measureState } from './growth.ts';
import { measureHook } from './hook.ts';
import { measureLargeResults } from './large-results.ts';
import { measureMcp } from './mcp.ts';
import { rounded } from './median.ts';
import { measureModelCall } from './model-call.ts';
import { measureRoadmap } from './roadmap.ts';
import { measureHugeFile, measureScan } from './scan.ts';
import { measureServer, measureSessions } from './server.ts';

/**
 * Prints ratios measured in this one run, and writes them to bench/out/speed.json. Seconds are
 * never a pass mark.
 */
console.log(`node ${process.version}, ${process.arch}\n`);
const HUGE = 2 ** 31;
const report = {
  engine: measureEngine(),
  largeResults: measureLargeResults(),
  growth: measureGrowth(),
  state: measureState(),
  hook: await measureHook(),
  scan: await measureScan(),
  mcp: await measureMcp(),
  modelCall: await measureModelCall(),
  gatewayWork: await measureGatewayWork(),
  gatewayStream: await measureGatewayStream(),
  server: await measureServer(),
  sessions: await measureSessions(),
  roadmap: await measureRoadmap(),
  huge: process.argv.includes('--huge') ? measureHugeFile(HUGE) : null,
};
const [, , oneCore, twoCores] = report.scan;
const [, single, batches] = report.server;

console.log('Engine: call-proposed + call-finished, all detectors on, medians after warm-up');
console.table(report.engine);
console.log('Engine: processor time for a result of 1 MB, by its shape');
console.table(report.largeResults);
console.log('Growth: cost of the last 1,000 events of a session, by its length');
console.table(report.growth);
console.log('State: one live session after 100,000 events');
console.table([report.state]);
console.log(
  'Hook: one process of Claude Code’s hook, with 10,000 earlier events in the ledger; medians of rounds in turns with node -e 0',
);
console.table(report.hook);
console.log('Scan: transcripts of a coding agent');
console.table(report.scan);
console.log('MCP: 1,000 calls of server-everything, one after another; its tools answer at once');
console.table(report.mcp);
console.log(
  'Framework: processor time that a guarded model takes for a request, beyond the bare one',
);
console.table([report.modelCall]);
console.log('Gateway: processor time for a request with a warm history, before it is passed on');
console.table([report.gatewayWork]);
console.log(
  'Gateway: time to the first byte of a healthy stream, with a history that grows by a step each time',
);
console.table(report.gatewayStream);
console.log(
  'Server: events of 32 sessions over 64 connections into a ledger in SQLite; an empty handler has the same program, middleware and JSON',
);
console.table(report.server);
console.log('Server: 1,000 sessions in turns for a minute');
console.table([report.sessions]);
console.log('Roadmap: processor time of a tick');
console.table([report.roadmap]);
if (report.huge) console.table([report.huge]);
else console.log('Scan of a 2 GB transcript: not measured, add --huge.');

const folder = new URL('../out/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('speed.json', folder), `${JSON.stringify(report, null, 2)}\n`);

const bars = [
  {
    bar: '10 KB result ≤ 10 × SHA-256 of it',
    value: report.engine.find((row) => row.result === '10 KB')!['× SHA-256'],
    limit: 10,
  },
  {
    bar: 'a 1 MB result of any shape ≤ 10 ms',
    value: Math.max(...report.largeResults.map(({ ms }) => ms)),
    limit: 10,
  },
  {
    bar: 'last 10³ of 10⁵ events ≤ 1.2 × last 10³ of 10⁴',
    value: report.growth.at(-1)!['× 10⁴'],
    limit: 1.2,
  },
  {
    bar: 'JSON.parse ≤ 6 × as fast as a scan on one core',
    value: rounded(1 / oneCore!['× JSON.parse']),
    limit: 6,
  },
  {
    bar: 'two scans of half each ≤ 1/.85 as fast as one on two cores',
    value: rounded(1 / twoCores!['× two scans']),
    limit: rounded(1 / 0.85),
  },
  {
    bar: 'a tool call through the proxy, p50 ≤ 1.75 × a relay that does nothing',
    value: report.mcp.at(-1)!['p50 × relay'],
    limit: 1.75,
  },
  {
    bar: 'a tool call through the proxy, p99 ≤ 2 × a relay that does nothing',
    value: report.mcp.at(-1)!['p99 × relay'],
    limit: 2,
  },
  {
    bar: 'a request of 100 warm steps to a guarded model ≤ 1 ms more',
    value: report.modelCall['added in ms'],
    limit: 1,
  },
  {
    bar: 'a request with 300 warm steps through the gateway ≤ 2 × JSON.parse of it',
    value: report.gatewayWork['× JSON.parse'],
    limit: 2,
  },
  {
    bar: 'the first byte of a quick model’s stream through the gateway ≤ 1.1 × a relay that does nothing',
    value: report.gatewayStream.at(-1)!['× relay'],
    limit: 1.1,
  },
  {
    bar: 'an empty handler ≤ 1/0.15 as fast as single events',
    value: rounded(1 / single!['× empty']),
    limit: rounded(1 / 0.15),
  },
  {
    bar: 'single events ≤ 1/5 as fast as batches of 100',
    value: rounded(1 / batches!['× single']),
    limit: 0.2,
  },
  {
    bar: 'memory after a minute of 1,000 sessions ≤ 1.1 × after a third of it',
    value: report.sessions.ratio,
    limit: 1.1,
  },
  {
    bar: 'a tick at the end of 1,000 tasks ≤ 1.5 × at the start',
    value: report.roadmap.ratio,
    limit: 1.5,
  },
  ...(report.huge
    ? [{ bar: 'a 2 GB transcript ≤ 400 MB', value: report.huge['peak memory in MB'], limit: 400 }]
    : []),
  {
    bar: 'a hook ≤ 1.5 × node -e 0, but for the first',
    value: Math.max(...report.hook.slice(0, 2).map((row) => row['× node -e 0'])),
    limit: 1.5,
  },
  {
    bar: 'a hook without a companion ≤ 2.3 × node -e 0',
    value: Math.max(...report.hook.slice(2).map((row) => row['× node -e 0'])),
    limit: 2.3,
  },
  { bar: 'state ≤ 64 KB', value: report.state.kilobytes, limit: 64 },
];
for (const { bar, value, limit } of bars)
  console.log(`${value <= limit ? 'holds ' : 'BROKEN'}  ${bar}: ${value}`);
if (bars.some(({ value, limit }) => value > limit)) process.exitCode = 1;
