/** The guard without a preset, for small bundles: you name the detectors and recoveries that you want. */
import { createGuardOf, type Guard, type GuardOptions } from './guard.ts';
import type { Preset } from './presets.ts';

export type { Detector } from './detectors/detector.ts';
export { defineDetector } from './detectors/detector.ts';
export * from './detectors/index.ts';
export { UnrutError } from './errors.ts';
export type { AgentEvent, Annotations, Call, Capability, EventType, Json, Rung, Screen } from './event.ts';
export type { Guard, Snapshot, Verdict } from './guard.ts';
export type { Plan } from './policy/plan.ts';
export * from './recoveries/index.ts';
export type { Recovery } from './recoveries/recovery.ts';
export { defineRecovery } from './recoveries/recovery.ts';
export type { Evidence, Fault, Signal } from './signal.ts';
export type { ToolDeclaration } from './tools/profile.ts';

/** Which detectors and recoveries to use. `skip` and `shadow` are as in a `Preset`. Default: nothing is skipped, and plans are acted on. */
export type CorePreset = Pick<Preset, 'detectors' | 'recoveries'> & Partial<Preset>;

export interface CoreGuardOptions extends Omit<GuardOptions, 'preset'> {
  preset: CorePreset;
}

/** Like `createGuard` of `unrut`, but with no preset unless you pass one. */
export const createGuard = ({ preset, ...options }: CoreGuardOptions): Guard =>
  createGuardOf({ name: 'custom', skip: [], shadow: false, ...preset }, options);
