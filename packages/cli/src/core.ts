/**
 * The guard without a preset, for small bundles: you name the detectors and recoveries that you
 * want.
 */
import { createGuardOf, type Guard, type GuardOptions } from '@unrut/engine/guard';
import type { Preset } from '@unrut/engine/presets';

export * from '@unrut/engine/detectors';
export type { Detector } from '@unrut/engine/detectors/detector';
export { defineDetector } from '@unrut/engine/detectors/detector';
export { UnrutError } from '@unrut/engine/errors';
export type { AgentEvent, Call, Capability, EventType, Json, Rung } from '@unrut/engine/event';
export type { Annotations, Screen } from '@unrut/engine/event-parts';
export type { Guard, Snapshot, Verdict } from '@unrut/engine/guard';
export type { Plan } from '@unrut/engine/policy/plan';
export * from '@unrut/engine/recoveries';
export type { Recovery } from '@unrut/engine/recoveries/recovery';
export { defineRecovery } from '@unrut/engine/recoveries/recovery';
export type { Evidence, Fault, Signal } from '@unrut/engine/signal';
export type { ToolDeclaration } from '@unrut/engine/tools/profile';

/**
 * Which detectors and recoveries to use. `skip` and `shadow` are as in a `Preset`. Default: nothing
 * is skipped, and plans are acted on.
 */
export type CorePreset = Pick<Preset, 'detectors' | 'recoveries'> & Partial<Preset>;

export interface CoreGuardOptions extends Omit<GuardOptions, 'preset'> {
  preset: CorePreset;
}

/** Like `createGuard` of `unrut`, but with no preset unless you pass one. */
export const createGuard = ({ preset, ...options }: CoreGuardOptions): Guard =>
  createGuardOf({ name: 'custom', skip: [], shadow: false, ...preset }, options);
