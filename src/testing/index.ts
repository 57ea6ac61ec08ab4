export { defineHost, type Host, type HostDeclaration } from '../hosts/define-host.ts';
export type { Case } from './case.ts';
export { testDetector } from './test-detector.ts';
export { type DialectSamples, testDialect } from './test-dialect.ts';
export {
  type FrameworkRun,
  type FrameworkRunOptions,
  type FrameworkUnderTest,
  type ModelReads,
  type ScriptedAnswer,
  testFramework,
} from './test-framework.ts';
export { type HostSamples, testHost } from './test-host.ts';
export { testLedger } from './test-ledger.ts';
export { testRecorder } from './test-recorder.ts';
export { situation, testRecovery } from './test-recovery.ts';
export { type ReportsUnderTest, testReports } from './test-reports.ts';
export { momentsOf, type Trace, type TraceMoment, tracesIn } from './trace.ts';
