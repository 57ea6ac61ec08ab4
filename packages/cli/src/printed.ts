import type { Health } from '@unrut/agents/install/doctor/examine';
import type { AblationPair } from '@unrut/computer-use/ablate';
import type { ScreenRunResult } from '@unrut/computer-use/trajectory';
import type { Verdict } from '@unrut/engine/guard';
import type { RecoveryRow } from '@unrut/engine/outcome/learned-from';
import type { EffectiveSetting } from '@unrut/ledger/config/effective-settings';
import type { LoadedSettings } from '@unrut/ledger/config/load-settings';
import type { Settings } from '@unrut/ledger/config/settings';
import type { SessionFigures } from '@unrut/ledger/figures/session-figures';
import type { InsightsReport } from '@unrut/ledger/insights/insights';
import type { LedgerEntry, LedgerSession } from '@unrut/ledger/ledger';
import type { Comparison, ScanReport, Trajectory } from '@unrut/ledger/report/scan-report';
import type { ScreenRunSums } from '@unrut/ledger/reports/screen-runs';
import type { StatsFigures } from '@unrut/ledger/reports/stats';
import type { TrialReport } from '@unrut/ledger/trial/trial';
import type { Moment } from '@unrut/ledger/views/timeline';
import type { CallExplained } from '@unrut/logs/explain/explain-call';
import type { RunExplained, StepExplained } from '@unrut/logs/explain/report';
import type { RoadmapResult, RoadmapStatus } from '@unrut/tasks';
import type { RunResult } from '@unrut/tasks/run/end-run';
import type { RunState } from '@unrut/tasks/run/run-state';
import type { RunTotals } from './run-totals.ts';
import { typeableHere } from './typeable-here.ts';

/**
 * The JSON output of each command. `output.schema.json` is generated from these types, and
 * `printJson` enforces them.
 */
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
  /** `unrut show FILE --json`, a line for each event */
  replay: Verdict;
  /** `unrut run PROMPT.md --json` */
  run: RunResult & RunTotals & { run: string; iterations: number };
  /** `unrut run roadmap.yaml --json` */
  'run-roadmap': RoadmapResult & { run: string };
  /** `unrut run status --json` */
  'run-status': RunStanding;
  /** `unrut show --list --json` */
  sessions: { sessions: SessionFigures[]; more: number };
  /** `unrut show SESSION --json` */
  show: { session: SessionFigures; moments: Moment[] };
  /** `unrut stats --json` */
  stats: StatsFigures & { screens: ScreenRunSums };
  /** `unrut stats --by GROUP --json`, also with `--compare` */
  'stats-by': InsightsReport;
  /** `unrut stats --trial --json` */
  'stats-trial': { trials: TrialReport[] };
  /** `unrut stats --recoveries --json` */
  'stats-recoveries': { recoveries: RecoveryRow[] };
  /** `unrut show --log --json`, a line for each entry */
  log: LedgerEntry;
  /** `unrut ledger forget --json` */
  forget: { forgotten: LedgerSession[] };
  /** `unrut config --json` */
  config: {
    files: LoadedSettings['files'];
    settings: EffectiveSetting[];
    said: Settings['said'];
    problems: string[];
    /** Limits of the budget that connected agents cannot keep. */
    notes: string[];
  };
  /** `unrut doctor --json` */
  doctor: Health;
  /** `unrut cua run --json` */
  cua: ScreenRunResult;
  /** `unrut cua run --ablate --json` */
  'cua-ablate': AblationPair[];
}

/** Where a run stands. */
export interface RunStanding
  extends Omit<RoadmapStatus, 'tasks'>,
    Pick<RunState, 'ending' | 'reason' | 'file'> {
  /** Of a roadmap. */
  tasks?: RoadmapStatus['tasks'];
  /** For a prompt: summaries of the last iterations. */
  tried?: RunState['tried'];
}

export const printJson = <Name extends keyof Printed = never>(
  value: Printed[Name],
  indent?: number,
): void => console.log(JSON.stringify(value, null, indent));

/** Text for people. */
export function printLines(lines: readonly string[]): void {
  for (const line of lines) console.log(typeableHere(line));
}
