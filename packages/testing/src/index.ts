export { defineHost, type Host, type HostDeclaration } from '@unrut/agents/hosts/define-host';
export { type DialectSamples, testDialect } from '@unrut/test/suites/test-dialect';
export {
  type FrameworkRun,
  type FrameworkRunOptions,
  type FrameworkUnderTest,
  type ModelReads,
  type ScriptedAnswer,
  testFramework,
} from '@unrut/test/suites/test-framework';
export { type HostSamples, testHost } from '@unrut/test/suites/test-host';
export { testRecorder } from '@unrut/test/suites/test-recorder';
export { type ReportsUnderTest, testReports } from '@unrut/test/suites/test-reports';
export type { Case } from './case.ts';
export { testDetector } from './test-detector.ts';
export { testLedger } from './test-ledger.ts';
export { situation, testRecovery } from './test-recovery.ts';
export { momentsOf, type Trace, type TraceMoment, tracesIn } from './trace.ts';
