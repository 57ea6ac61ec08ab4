export type { Adapter } from '../adapters/adapter.ts';
export type { Case } from './case.ts';
export { testAdapter } from './test-adapter.ts';
export { testDetector } from './test-detector.ts';
export { testLedger } from './test-ledger.ts';
export { testRecorder } from './test-recorder.ts';
export { situation, testRecovery } from './test-recovery.ts';
export { type Moment, momentsOf, type Trace, tracesIn } from './trace.ts';
