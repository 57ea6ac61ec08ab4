import type { InferOutput } from 'valibot';
import type * as figures from '../answers/figures.ts';
import type * as guard from '../answers/guard.ts';
import type * as incident from '../answers/incidents.ts';
import type * as insight from '../answers/insights.ts';
import type * as organisation from '../answers/organisation.ts';
import type * as run from '../answers/runs.ts';
import type * as session from '../answers/sessions.ts';
import type * as trial from '../answers/trials.ts';

/** The types of the server's answers, derived from the schemas of its routes. */

type Waste = InferOutput<typeof guard.wasteSchema>;
export type ProblemAnswer = InferOutput<typeof organisation.problemSchema>;

type Acted = InferOutput<typeof session.actedSchema>;
type SessionRow = InferOutput<typeof session.sessionSchema>;
export type SessionsAnswer = InferOutput<typeof session.sessionsSchema>;
export type SessionAnswer = InferOutput<typeof session.sessionInFullSchema>;
export type SessionControl = InferOutput<typeof session.sessionControlSchema>;
type SessionLoop = InferOutput<typeof session.sessionLoopSchema>;
export type MomentRow = InferOutput<typeof session.momentRowSchema>;
export type SignalsAnswer = InferOutput<typeof session.signalsSchema>;
export type ActAnswer = InferOutput<typeof session.actSchema>;
export type StreamEntry = InferOutput<typeof session.streamEntrySchema>;

type PlanFigures = InferOutput<typeof figures.planFiguresSchema>;
type PlanRow = InferOutput<typeof figures.planRowSchema>;
export type RecoveriesAnswer = InferOutput<typeof figures.recoveriesSchema>;
export type IncidentsAnswer = InferOutput<typeof incident.incidentsSchema>;
export type IncidentRow = IncidentsAnswer['incidents'][number];
export type IncidentAnswer = InferOutput<typeof incident.incidentInFullSchema>;
export type InsightsAnswer = InferOutput<typeof insight.insightsSchema>;
export type TrialsAnswer = InferOutput<typeof trial.trialsSchema>;
export type StatsAnswer = InferOutput<typeof figures.statsSchema>;
export type DetectorOption = InferOutput<typeof figures.detectorOptionSchema>;
export type DetectorRow = InferOutput<typeof figures.detectorSchema>;
export type DetectorsAnswer = InferOutput<typeof figures.detectorsSchema>;

export type RunStatus = InferOutput<typeof run.runSchema>;
export type RunsAnswer = InferOutput<typeof run.runsSchema>;
export type RunAnswer = InferOutput<typeof run.runInFullSchema>;
export type TaskRow = InferOutput<typeof run.taskRowSchema>;
export type AttemptRow = InferOutput<typeof run.attemptRowSchema>;
export type StatusAnswer = InferOutput<typeof run.statusSchema>;
export type CuaAnswer = InferOutput<typeof run.cuaRunSchema>;

export type MeAnswer = InferOutput<typeof organisation.meSchema>;
export type ShownProject = InferOutput<typeof organisation.projectSchema>;
export type ShownKey = InferOutput<typeof organisation.keySchema>;
export type ProjectsAnswer = InferOutput<typeof organisation.projectsSchema>;
export type KeysAnswer = InferOutput<typeof organisation.keysSchema>;
export type PeopleAnswer = InferOutput<typeof organisation.peopleSchema>;
export type ShownPerson = InferOutput<typeof organisation.personSchema>;
export type ShownDeed = InferOutput<typeof organisation.deedSchema>;
export type AuditAnswer = InferOutput<typeof organisation.auditSchema>;

// The JSON types of the ledger's types with these names.
export type { Acted, PlanFigures, PlanRow, SessionLoop, SessionRow, Waste };
