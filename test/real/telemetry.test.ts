import type { LedgerEntry } from '@unrut/ledger/ledger';
import { beforeAll, describe, expect, it } from 'vitest';
import { serveOtlp } from '../server/otlp-server.ts';
import type { Agent } from './agents/agent.ts';
import { claudeCode } from './agents/claude-code.ts';
import { codex } from './agents/codex.ts';
import { geminiCli } from './agents/gemini-cli.ts';
import { INSTALL_TIMEOUT, installAgent } from './install-agent.ts';
import { type Run, runAgent } from './run-agent.ts';
import { insists, noLoop, type ScriptOf } from './scripts.ts';
import { heard } from './test-agent.ts';

/** An agent that sends its telemetry to a server. */
type Told = (url: string) => Agent;

const LOGS = { OTEL_LOGS_EXPORTER: 'otlp' };
const SPANS = { OTEL_TRACES_EXPORTER: 'otlp', CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: '1' };
const OUTPUT = { OTEL_LOG_TOOL_CONTENT: '1' };

const claude =
  (protocol: string, variables: Record<string, string>): Told =>
  (url) => ({
    ...claudeCode,
    environment: (place) => ({
      ...claudeCode.environment(place),
      CLAUDE_CODE_ENABLE_TELEMETRY: '1',
      OTEL_METRICS_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_LOG_TOOL_DETAILS: '1',
      ...variables,
    }),
  });

const codexBy =
  (protocol: string): Told =>
  (url) => ({
    ...codex,
    settings(place) {
      const exporter = `{ otlp-http = { endpoint = "${url}/v1/logs", protocol = "${protocol}" } }`;
      const config = codex.settings(place)['.codex/config.toml'];
      return {
        '.codex/config.toml': `${config}\n[otel]\nlog_user_prompt = true\nexporter = ${exporter}\n`,
      };
    },
  });

const gemini: Told = (otlpEndpoint) => ({
  ...geminiCli,
  settings(place) {
    const settings = JSON.parse(geminiCli.settings(place)['.gemini/settings.json']!);
    const telemetry = {
      enabled: true,
      target: 'local',
      otlpEndpoint,
      otlpProtocol: 'http',
      logPrompts: true,
    };
    return { '.gemini/settings.json': JSON.stringify({ ...settings, telemetry }) };
  },
});

/** A run of an agent whose telemetry comes here, and what was written down of it. */
async function watched(
  told: Told,
  script: ScriptOf,
): Promise<{ run: Run; entries: LedgerEntry[] }> {
  const { url, ledger, settle } = await serveOtlp();
  const run = await runAgent(told(url), script);
  await settle();
  return { run, entries: await ledger.entries() };
}

const callsIn = (entries: readonly LedgerEntry[]): LedgerEntry[] =>
  entries.filter(
    ({ kind, data }) => kind === 'event' && data.type === 'call-finished' && !data.aside,
  );

const AGENTS: [string, Told][] = [
  ['log records of Claude Code, in JSON', claude('http/json', LOGS)],
  ['spans of Claude Code, in protobuf', claude('http/protobuf', SPANS)],
  ['both of Claude Code, in JSON', claude('http/json', { ...LOGS, ...SPANS })],
  [
    'both of Claude Code, in protobuf, with what tools gave back',
    claude('http/protobuf', { ...LOGS, ...SPANS, ...OUTPUT }),
  ],
  ['log records of Codex, in JSON', codexBy('json')],
  ['log records of Codex, in protobuf', codexBy('binary')],
  ['telemetry of Gemini CLI', gemini],
];

describe.each(AGENTS)('%s', (_, told) => {
  beforeAll(() => installAgent(told('')), INSTALL_TIMEOUT);

  it('shows a loop, and the agent gets no note', async () => {
    const { run, entries } = await watched(told, insists);
    expect(run.exitCode, run.output).toBe(0);
    expect(heard(run)).toEqual([]);
    expect(callsIn(entries)).toHaveLength(run.tries.length);
    expect(new Set(entries.map(({ session }) => session)).size).toBe(1);
    const signals = entries.filter(
      ({ kind, data }) => kind === 'signal' && data.detector === 'repeated-call',
    );
    expect(signals.at(-1)?.data.count, JSON.stringify(entries)).toBe(run.tries.length);
    const plans = entries.filter(({ kind }) => kind === 'plan');
    expect(plans.length).toBeGreaterThan(0);
    expect(plans.every(({ data }) => data.shadow)).toBe(true);
  });

  it('of a run that gets on raises nothing', async () => {
    const { run, entries } = await watched(told, noLoop);
    expect(run.exitCode, run.output).toBe(0);
    expect(callsIn(entries)).toHaveLength(8);
    expect(entries.filter(({ kind }) => kind === 'signal' || kind === 'fault')).toEqual([]);
  });
});
