import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Agent, Place } from './agents/agent.ts';
import { installAgent, PATH } from './install-agent.ts';
import { type Exchange, startModelServer } from './model-server.ts';
import { PROJECT, TRIES } from './project.ts';
import { runProgram, writeFiles } from './run-program.ts';
import type { ScriptOf } from './scripts.ts';

/** How one run of an agent went. */
export interface Run {
  place: Place;
  exchanges: readonly Exchange[];
  /** The commands of the project that really ran, in order. */
  tries: string[];
  /** What a person saw. */
  output: string;
  /** Null when it was killed because it took too long. */
  exitCode: number | null;
  /** How many requests there were before it was resumed. */
  before: number;
}

export interface RunOptions {
  /** What a person asks for at first. */
  task?: string;
  /** What a person says when the run has ended. */
  answer?: string;
  environment?: Record<string, string>;
}

/** A fresh project in a fresh home, for as long as the test takes. */
export function newPlace(name: string): Place {
  const folder = mkdtempSync(join(tmpdir(), `unrut-${name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const place = { home: join(folder, 'home'), project: join(folder, 'project'), url: '' };
  mkdirSync(place.home);
  writeFiles(place.project, PROJECT);
  return place;
}

/** The same, with a model that follows a script. */
export async function beginRun(
  agent: Agent,
  script: ScriptOf,
  prepare: (place: Place) => Promise<void>,
) {
  const command = await installAgent(agent);
  const place = newPlace(agent.name);
  const model = await startModelServer(agent.api, script(agent, place));
  onTestFinished(() => model.close());
  place.url = model.url;
  writeFiles(place.home, agent.settings(place));
  await prepare(place);
  const environment = { PATH, HOME: place.home, TERM: 'dumb', ...agent.environment(place) };
  return { command, place, model, environment };
}

/**
 * Lets an agent work, and gives its outcome. `prepare` comes first, such as installing Unrut.
 */
export async function runAgent(
  agent: Agent,
  script: ScriptOf,
  prepare: (place: Place) => Promise<void> = async () => undefined,
  { task = 'Get the check to pass.', answer, environment: more = {} }: RunOptions = {},
): Promise<Run> {
  const { command, place, model, environment: usual } = await beginRun(agent, script, prepare);
  const environment = { ...usual, ...more };
  const first = await runProgram(command, agent.args(task), place.project, environment);
  const before = model.exchanges.length;
  const { output, exitCode } =
    answer === undefined
      ? first
      : await runProgram(command, agent.resumes(answer), place.project, environment);
  return {
    place,
    exchanges: model.exchanges,
    tries: linesOf(join(place.project, '..', TRIES)),
    output,
    exitCode,
    before,
  };
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trim().split('\n');
  } catch {
    return [];
  }
}
