import {
  type AgentContext,
  type AgentRun,
  type Roadmap,
  RoadmapLoop,
  type RoadmapResult,
  type RoadmapRunOptions,
  readRoadmap,
} from '@unrut/tasks';
import { createMemoryLedger } from '../../packages/cli/src/index.ts';
import { newFolder } from '../ledger-files.ts';

/** A roadmap of tasks given by their ids alone, or with more. */
export const roadmapOf = (...tasks: (string | Record<string, unknown>)[]): Roadmap =>
  readRoadmap({
    tasks: tasks.map((task) => ({
      prompt: 'Do it.',
      ...(typeof task === 'string' ? { id: task } : task),
    })),
  });

/** What a scripted agent prints, or how its run went. */
export type Script = (
  context: AgentContext,
  prompt: string,
) => string | Partial<AgentRun> | Promise<string | Partial<AgentRun>>;

export interface ScriptedRun {
  loop: RoadmapLoop;
  result: RoadmapResult;
  /** `T1#1`, … in the order in which the agent was run. */
  ran: string[];
  prompts: string[];
  lines: string[];
  /** What was recovered from, as `loopType → recommendation`. */
  recovered: string[];
}

/** Runs a roadmap with an agent that does what the script says. */
export async function play(
  script: Script,
  options: Partial<RoadmapRunOptions> & { roadmap: Roadmap },
): Promise<ScriptedRun> {
  const played: Omit<ScriptedRun, 'loop' | 'result'> = {
    ran: [],
    prompts: [],
    lines: [],
    recovered: [],
  };
  const loop = new RoadmapLoop({
    ledger: createMemoryLedger(),
    run: 'run',
    folder: newFolder(),
    log: (line) => void played.lines.push(line),
    async runAgent(prompt, context) {
      played.ran.push(context.attemptSession);
      played.prompts.push(prompt);
      const answer = await script(context, prompt);
      return {
        output: '',
        exitCode: 0,
        ...(typeof answer === 'string' ? { output: answer } : answer),
      };
    },
    ...options,
  });
  loop.on(
    'recovered',
    ({ loopType, recommendation }) => void played.recovered.push(`${loopType} → ${recommendation}`),
  );
  return { loop, result: await loop.run(), ...played };
}
