export type { Candidate } from '@unrut/engine/candidates/candidate';
export { detectors } from '@unrut/engine/detectors';
export type { Detector, DetectorDefinition } from '@unrut/engine/detectors/detector';
export { defineDetector } from '@unrut/engine/detectors/detector';
export { UnrutError } from '@unrut/engine/errors';
export type {
  ActionFinished,
  ActionProposed,
  AgentEvent,
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
  SessionEnded,
  TaskAttempted,
  TextAdded,
  ToolsListed,
  UserSpoke,
} from '@unrut/engine/event';
export type { Annotations, Screen } from '@unrut/engine/event-parts';
export type { Fingerprint } from '@unrut/engine/fingerprint';
export { detectOutputLoop, extractSignature } from '@unrut/engine/fingerprint';
export {
  createGuard,
  type Guard,
  type GuardOptions,
  type Snapshot,
  type Verdict,
} from '@unrut/engine/guard';
export { type Declared, type Option, option, type ValuesOf } from '@unrut/engine/option';
export { learnedFrom, type RecoveryRow, recoveryRows } from '@unrut/engine/outcome/learned-from';
export type { Offer } from '@unrut/engine/outcome/offer';
export type { Outcome } from '@unrut/engine/outcome/outcome';
export type { Plan } from '@unrut/engine/policy/plan';
export {
  observe,
  type Preset,
  recommended,
  type ShippedPreset,
  strict,
  without,
} from '@unrut/engine/presets';
export type {
  CallPrint,
  ErrorPrint,
  FailurePrint,
  ResultPrint,
  Verb,
} from '@unrut/engine/prints';
export { recoveries } from '@unrut/engine/recoveries';
export type {
  Action,
  Recovery,
  RecoveryDefinition,
  Situation,
  Tried,
} from '@unrut/engine/recoveries/recovery';
export { defineRecovery } from '@unrut/engine/recoveries/recovery';
export type { Evidence, Fault, Signal } from '@unrut/engine/signal';
export type { ToolDeclaration } from '@unrut/engine/tools/profile';
export {
  type Config,
  defineConfig,
  definePlugin,
  type Plugin,
} from '@unrut/ledger/config/config';
export { JsonText } from '@unrut/ledger/json-text';
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
} from '@unrut/ledger/ledger';
export { createMemoryLedger } from '@unrut/ledger/memory';
export {
  createRecorder as recordTo,
  type Recorded,
  type RecordedGuard,
  type Recorder,
  type RecorderOptions,
  type RecordOptions,
  type TransactionAbout,
} from '@unrut/ledger/recorder';
export type {
  ObserveOptions,
  RecordedVerdict,
  RecordingTransaction,
} from '@unrut/ledger/recording-transaction';
