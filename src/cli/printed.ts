import type { AblationPair } from '../computer-use/ablate.ts';
import type { ScreenRunResult } from '../computer-use/trajectory.ts';
import type { EffectiveSetting } from '../config/effective-settings.ts';
import type { LoadedSettings } from '../config/load-settings.ts';
import type { Settings } from '../config/settings.ts';
import type { CallExplained } from '../explain/explain-call.ts';
import type { RunExplained, StepExplained } from '../explain/report.ts';
import type { Verdict } from '../guard.ts';
import type { Health } from '../install/doctor/examine.ts';
import type { LedgerEntry, LedgerSession } from '../ledger/ledger.ts';
import type { SessionSummary } from '../ledger/reports/session-summary.ts';
import type { RecoveryRow } from '../outcome/learned-from.ts';
import type { Comparison, ScanReport, Trajectory } from '../report/scan-report.ts';
import type { RunResult } from '../run/end-run.ts';
import type { RunState } from '../run/run-state.ts';
import type { RoadmapResult, RoadmapStatus } from '../tasks/index.ts';
import type { LedgerStatistics } from '../views/statistics.ts';
import type { Moment } from '../views/timeline.ts';
import type { RunTotals } from './run-totals.ts';

/** What commands print as JSON. `output.schema.json` is made from these types, and `printJson` holds the commands to them. */
export interface Printed {
  /** `unrut scan --json` */
  scan: ScanReport;
  /** `unrut scan --jsonl`, each line but the last */
  'scan-run': Trajectory;
  /** `unrut scan --jsonl`, the last line */
  'scan-end': Omit<ScanReport, 'trajectories'>;
  /** `unrut scan --compare --json` */
  'scan-compare': Comparison;
  /** `unrut explain --json` */
  explain: RunExplained;
  /** `unrut explain --step N --json` */
  'explain-step': StepExplained;
  /** `unrut explain --call CALL --json` */
  'explain-call': { version: 1; calls: CallExplained[] };
  /** `unrut replay --json`, a line for each event */
  replay: Verdict;
  /** `unrut run PROMPT.md --json` */
  run: RunResult & RunTotals & { run: string; iterations: number };
  /** `unrut run roadmap.yaml --json` */
  'run-roadmap': RoadmapResult & { run: string };
  /** `unrut run status --json` */
  'run-status': RunStanding;
  /** `unrut sessions --json` */
  sessions: { sessions: SessionSummary[]; more: number };
  /** `unrut show SESSION --json` */
  show: { session: SessionSummary; moments: Moment[] };
  /** `unrut stats --json` */
  stats: LedgerStatistics;
  /** `unrut stats --recoveries --json` */
  'stats-recoveries': { recoveries: RecoveryRow[] };
  /** `unrut log --json`, a line for each entry */
  log: LedgerEntry;
  /** `unrut forget --json` */
  forget: { forgotten: LedgerSession[] };
  /** `unrut config --json` */
  config: { files: LoadedSettings['files']; settings: EffectiveSetting[]; said: Settings['said']; problems: string[] };
  /** `unrut doctor --json` */
  doctor: Health;
  /** `unrut cua run --json` */
  cua: ScreenRunResult;
  /** `unrut cua run --ablate --json` */
  'cua-ablate': AblationPair[];
}

/** Where a run stands. */
export interface RunStanding extends Omit<RoadmapStatus, 'tasks'>, Pick<RunState, 'ending' | 'reason' | 'file'> {
  /** Of a roadmap. */
  tasks?: RoadmapStatus['tasks'];
  /** Of a prompt: what each of the last iterations did. */
  tried?: RunState['tried'];
}

export const printJson = <Name extends keyof Printed = never>(value: Printed[Name], indent?: number): void =>
  console.log(JSON.stringify(value, null, indent));

export function printLines(lines: readonly string[]): void {
  for (const line of lines) console.log(line);
}
