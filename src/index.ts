export type { Candidate } from './candidates/candidate.ts';
export { type Config, defineConfig } from './config/config.ts';
export type { Detector, DetectorDefinition } from './detectors/detector.ts';
export { defineDetector } from './detectors/detector.ts';
export { detectors } from './detectors/index.ts';
export { UnrutError } from './errors.ts';
export type {
  ActionFinished,
  ActionProposed,
  AgentEvent,
  Annotations,
  Call,
  CallFinished,
  CallProposed,
  Capability,
  ContextCompacted,
  EventType,
  Idle,
  IterationStarted,
  Json,
  OutputFinished,
  PlanPerformed,
  RefusedBy,
  Rung,
  Screen,
  SessionEnded,
  TaskAttempted,
  TextAdded,
  ToolsListed,
  UserSpoke,
} from './event.ts';
export type { Fingerprint } from './fingerprint/fingerprint.ts';
export { detectOutputLoop, extractSignature } from './fingerprint/signature.ts';
export { createGuard, type Guard, type GuardOptions, type Snapshot, type Verdict } from './guard.ts';
export { JsonText } from './ledger/json-text.ts';
export type {
  ContextEntry,
  ContextQuery,
  EntryKind,
  Ledger,
  LedgerChange,
  LedgerEntry,
  LedgerQuery,
  LedgerSession,
  SavedState,
} from './ledger/ledger.ts';
export { createMemoryLedger } from './ledger/memory.ts';
export {
  createRecorder as recordTo,
  type Recorded,
  type RecordedGuard,
  type Recorder,
  type RecorderOptions,
  type RecordOptions,
  type StepAbout,
} from './ledger/recorder.ts';
export type { ObserveOptions, RecordedVerdict, RecordingStep } from './ledger/recording-step.ts';
export { type Declared, type Option, option } from './option.ts';
export { learnedFrom, type RecoveryRow, recoveryRows } from './outcome/learned-from.ts';
export type { Offer } from './outcome/offer.ts';
export type { Outcome } from './outcome/outcome.ts';
export type { Plan } from './policy/plan.ts';
export { observe, type Preset, recommended, type ShippedPreset, strict, without } from './presets.ts';
export type { CallPrint, ResultPrint, Verb } from './prints.ts';
export { recoveries } from './recoveries/index.ts';
export type { Action, Recovery, RecoveryDefinition, Situation } from './recoveries/recovery.ts';
export { defineRecovery } from './recoveries/recovery.ts';
export type { Evidence, Fault, Signal } from './signal.ts';
export type { ToolDeclaration } from './tools/profile.ts';
