export type { Case } from './case.ts';
export { testDetector } from './test-detector.ts';
export { testLedger } from './test-ledger.ts';
export { situation, testRecovery } from './test-recovery.ts';
export { momentsOf, type Trace, type TraceMoment, tracesIn } from './trace.ts';
