import type { FailedTarget, Failure, Move, OfferedArgs, Risk } from '../failures/failure.ts';
import { failures } from '../failures/index.ts';
import { folderOf } from '../failures/path-parts.ts';
import { recall } from '../recent.ts';
import { FILE_ARGUMENTS } from '../tools/profile.ts';
import type { Candidate } from './candidate.ts';
import { type FoundTool, findTool, foundTool } from './find-tool.ts';
import type { CandidateMemory, RecentCall } from './memory.ts';
import { REFERENCES } from './request.ts';

/** The outcome of an earlier candidate. */
export interface Trail {
  failure: string;
  /** Identifies the thing that the failed call was about. */
  target: string | null;
  /** The move that was offered and followed. */
  followed: string | null;
  /** -1..1. */
  reward: number;
}

/** What candidates are ranked by. */
export interface Ranking {
  failure: Failure;
  failed: RecentCall;
  memory: CandidateMemory;
  /** Candidates that this session has followed, latest last. */
  trails: readonly Trail[];
  /** Success rates over many sessions, by `failure/world/move`. */
  learned: Readonly<Record<string, number>>;
  /** Names of moves that may be offered although a gate excludes them. */
  allow: ReadonlySet<string>;
}

const RISKS: Record<Risk, number> = { read_only: 0, reversible: 0.05, side_effect_possible: 0.2 };
/**
 * Deducted for each failed use of the same tool on the same thing. Two of them put the best move
 * below an untried third one.
 */
const FAILED_USE = 0.25;
/**
 * The maximum weight of this session's own trails. With the prior, one lucky case counts for a
 * third of it, which is less than the gap between two moves.
 */
const TRAILS = 0.25;
const PRIOR = 2;
/** The weight of a learned rate: 0 or 1 moves the score by a quarter. */
const LEARNED = 0.5;
/** A read-only move wins over a reversible one whose score is higher by at most this. */
const HEADSTART = 0.05;

const MAX_OFFERED = 4;
const MAX_BLOCKED = 3;

/**
 * The moves out of a failure as candidates: first those that may be offered, best first, then those
 * that a gate excludes. Deterministic.
 */
export function rank(ranking: Ranking): Candidate[] {
  const candidates = movesAfterFailure(ranking)
    .flatMap((move) => candidateOf(move, ranking) ?? [])
    .sort(inOrder);
  const offered = candidates.filter(({ blockedReason }) => blockedReason === undefined);
  const blocked = candidates.filter(({ blockedReason }) => blockedReason !== undefined);
  return [...offered.slice(0, MAX_OFFERED), ...blocked.slice(0, MAX_BLOCKED)];
}

/** What the error itself suggests comes before what is known about its kind. */
const OFFERED: Move = {
  name: 'use-offered-name',
  base: 1,
  risk: 'read_only',
  does: 'use what the error offers',
  reason: '',
};
const NAMED: Move = {
  name: 'use-named-tool',
  base: 0.98,
  risk: 'reversible',
  does: 'use the tool that the error names',
  reason: '',
};

/** The names of all moves. `allow` opens the gate of one of them. */
export const MOVE_NAMES: readonly string[] = [
  ...new Set([OFFERED, NAMED, ...failures.flatMap(({ moves }) => moves)].map(({ name }) => name)),
];

function movesAfterFailure({ failure, failed, memory }: Ranking): readonly Move[] {
  const { offered, named } = failed;
  const isNew =
    named !== undefined &&
    !failure.moves.some((move) => findTool(move, failed, memory)?.tool === named);
  return [...(offered === undefined ? [] : [OFFERED]), ...(isNew ? [NAMED] : []), ...failure.moves];
}

function candidateOf(move: Move, ranking: Ranking): Candidate | null {
  const { failed, failure, memory } = ranking;
  const found =
    move === NAMED ? foundTool(failed.named!, 'itself', memory) : findTool(move, failed, memory);
  if (!found && move.needsTool) return null;
  const blockedReason = gateOf(move, found, ranking);
  // A move that does not need a tool is still good advice if its tool must not be named.
  const named = found && (blockedReason === undefined || move.needsTool) ? found : null;
  const args =
    named && fitting(move.args?.(targetOf(failed), named.role, named.tool) ?? {}, named, ranking);
  return {
    name: move.name,
    ...(named ? { tool: named.tool } : {}),
    description: `${move.does}${aboutWords(move, ranking)}`,
    ...(args ? { args } : {}),
    reason: move.reason || failure.means,
    score: scoreOf(move, found, ranking),
    risk: move.risk,
    ...(blockedReason === undefined || (found && !named) ? {} : { blockedReason }),
  };
}

/** What the error offers, or what it is about. */
function aboutWords(move: Move, { failed, failure }: Ranking): string {
  if (move === OFFERED) return failed.offered ? `: \`${failed.offered}\`` : '';
  return move === failure.moves[0] && failed.about ? ` (${failed.about})` : '';
}

const targetOf = ({ path = '', argument = 'path', given = {} }: RecentCall): FailedTarget => {
  const reference = Object.entries(given).find(([name]) => REFERENCES.includes(name));
  return { path, argument, reference: reference ? { [reference[0]]: reference[1] } : null };
};

/**
 * Arguments as the tool expects them, completed from the failed call where required; null if they
 * do not fit.
 */
function fitting(
  offered: OfferedArgs,
  { tool, role }: FoundTool,
  { failed, memory }: Ranking,
): OfferedArgs | null {
  const note = recall(memory.tools, tool);
  const { needs = [], takes } = note ?? {};
  if (role === 'itself' || role === 'nearest') return null;
  const kept = Object.entries(offered).filter(
    ([name]) => takes === undefined || takes.includes(name) || needs.includes(name),
  );
  // Tools have different names for the same argument, and a search needs a folder to start in.
  const place =
    offered[failed.argument ?? 'path'] ??
    (role === 'file-find' && failed.path !== undefined ? folderOf(failed.path) : undefined);
  const places = place === undefined ? [] : FILE_ARGUMENTS.map((name) => [name, place]);
  const known: OfferedArgs = { ...Object.fromEntries(places), ...failed.given };
  const added = needs.flatMap((name) =>
    known[name] === undefined ? [] : [[name, known[name]] as const],
  );
  const args: OfferedArgs = Object.fromEntries([...added, ...kept]);
  if (isFailedCall(tool, args, failed)) return null;
  return Object.keys(args).length > 0 && needs.every((name) => name in args) ? args : null;
}

/** Whether a call would be the one that has just failed, as far as its arguments are known. */
const isFailedCall = (tool: string, args: OfferedArgs, failed: RecentCall): boolean => {
  const before: OfferedArgs = {
    ...failed.given,
    ...(failed.path === undefined ? {} : { [failed.argument ?? 'path']: failed.path }),
  };
  return (
    tool === failed.tool && Object.entries(args).every(([name, value]) => before[name] === value)
  );
};

function gateOf(
  move: Move,
  found: FoundTool | null,
  { failed, allow }: Ranking,
): string | undefined {
  if (allow.has(move.name)) return undefined;
  if (move.gate !== undefined) return move.gate;
  if (found?.destructive) return 'its server declares it destructive';
  const changes =
    move.risk === 'side_effect_possible' || (move.onTarget === true && move.risk === 'reversible');
  if (failed.grave && changes) return 'what it would do once more cannot be taken back';
  return undefined;
}

function scoreOf(move: Move, found: FoundTool | null, ranking: Ranking): number {
  // A shell runs anything: one failed command tells nothing about another.
  const failedUses =
    found && found.role !== 'shell' ? countFailedUses(move, found.tool, ranking) : 0;
  const score = move.base + evidenceFor(move, ranking) - FAILED_USE * failedUses - RISKS[move.risk];
  // JSON has no negative zero.
  return Math.round(1000 * Math.max(-1, Math.min(1, score))) / 1000 || 0;
}

function countFailedUses(
  { onTarget, isOther }: Move,
  tool: string,
  { failed, memory }: Ranking,
): number {
  if (isOther) return 0;
  const target = onTarget ? failed.target : null;
  return memory.calls.filter(
    (call) => call.failure !== undefined && call.tool === tool && call.target === target,
  ).length;
}

function evidenceFor({ name }: Move, { failure, failed, trails, learned }: Ranking): number {
  const own = trails.filter(
    (trail) =>
      trail.failure === failure.name && trail.target === failed.target && trail.followed === name,
  );
  const given = learned[`${failure.name}/${failed.world}/${name}`] ?? 0.5;
  const share = given >= 0 && given <= 1 ? given : 0.5;
  return (
    (TRAILS * own.reduce((sum, { reward }) => sum + reward, 0)) / (own.length + PRIOR) +
    LEARNED * (share - 0.5)
  );
}

/**
 * Moves that may have side effects come last. Then the better score wins, with a head start for
 * read-only moves, then the name.
 */
function inOrder(one: Candidate, another: Candidate): number {
  const effects =
    Number(one.risk === 'side_effect_possible') - Number(another.risk === 'side_effect_possible');
  if (effects !== 0) return effects;
  const difference = Math.round(1000 * (weightOf(another) - weightOf(one)));
  if (difference !== 0) return difference;
  if (one.risk !== another.risk) return one.risk === 'read_only' ? -1 : 1;
  const [first, second] = [
    `${one.tool ?? ''} ${one.name}`,
    `${another.tool ?? ''} ${another.name}`,
  ];
  return first < second ? -1 : first > second ? 1 : 0;
}

const weightOf = ({ risk, score }: Candidate): number =>
  risk === 'reversible' ? score - HEADSTART : score;
