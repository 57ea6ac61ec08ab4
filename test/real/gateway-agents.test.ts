import { beforeAll, describe, expect, it } from 'vitest';
import { serveUpstreams } from '../gateway/serve-gateway.ts';
import type { Agent } from './agents/agent.ts';
import { claudeCode } from './agents/claude-code.ts';
import { codex } from './agents/codex.ts';
import { geminiCli } from './agents/gemini-cli.ts';
import { opencode } from './agents/opencode.ts';
import { INSTALL_TIMEOUT, installAgent } from './install-agent.ts';
import { runAgent } from './run-agent.ts';
import { insists, noLoop } from './scripts.ts';
import { heard, shape } from './test-agent.ts';

/** The agent without any hook: only its base URL is another. */
async function throughGateway(
  agent: Agent,
): Promise<{ agent: Agent; rungs: string[]; faults: string[] }> {
  const upstreams = new Map<string, URL>();
  const rungs: string[] = [];
  const faults: string[] = [];
  const url = await serveUpstreams(upstreams, {
    onPlan: ({ rung }) => void rungs.push(rung),
    onFault: ({ message }) => void faults.push(message),
  });
  const through = <Place extends { url: string }>(place: Place): Place => {
    upstreams.set('up', new URL(place.url));
    return { ...place, url: `${url}/up` };
  };
  const { settings, environment } = agent;
  return {
    agent: {
      ...agent,
      settings: (place) => settings(through(place)),
      environment: (place) => environment(through(place)),
    },
    rungs,
    faults,
  };
}

describe.each([claudeCode, codex, geminiCli, opencode])(
  '$name, through the gateway by its base URL',
  (agent) => {
    beforeAll(() => installAgent(agent), INSTALL_TIMEOUT);

    it('is warned, blocked and stopped when it insists, and ends as it does without Unrut', async () => {
      const { agent: guarded, rungs, faults } = await throughGateway(agent);
      const run = await runAgent(guarded, insists);
      expect(run.exitCode, run.output).toBe(0);
      expect(faults).toEqual([]);
      expect([...new Set(rungs)]).toEqual(['note', 'hint', 'block', 'escalate', 'stop']);
      expect(heard(run)[0]).toBe('4 note');
      expect(run.tries.length).toBeLessThan(9);
      expect(run.output).toMatch(/Unrut stopped the run/);
    });

    it('is not touched when it gets on', async () => {
      const { agent: guarded, rungs, faults } = await throughGateway(agent);
      const [run, alone] = [await runAgent(guarded, noLoop), await runAgent(agent, noLoop)];
      expect(shape(run)).toEqual(shape(alone));
      expect([rungs, faults]).toEqual([[], []]);
    });
  },
);
