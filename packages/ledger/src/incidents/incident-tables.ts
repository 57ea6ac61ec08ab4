/** Column types, which differ between the two ledgers. */
export interface ColumnTypes {
  text: string;
  integer: string;
  number: string;
  /** The column that identifies a session, with its type. */
  session: string;
  /** The clause that references the table of sessions. */
  ofSession: string;
}

/**
 * The tables of incidents, without their schema. `cause_sessions` holds the sessions of every cause
 * in the last hour and those of incidents; `incident_changes` the changes to notify about. A cause
 * has at most one open incident.
 */
export function incidentTables(
  schema: string,
  { text, integer, number, session, ofSession }: ColumnTypes,
): string {
  const key = session.split(' ', 1)[0]!;
  return `
    CREATE TABLE ${schema}cause_sessions (
      org ${integer} NOT NULL, project ${integer} NOT NULL, cause ${text} NOT NULL, ${session} NOT NULL,
      first ${number} NOT NULL, last ${number} NOT NULL, calls ${number} NOT NULL,
      kind ${text} NOT NULL, tool ${text} NOT NULL, target ${text} NOT NULL, said ${text} NOT NULL,
      PRIMARY KEY (org, project, cause, ${key}), ${ofSession}
    );
    CREATE INDEX cause_sessions_by_time ON ${schema}cause_sessions (org, last);
    CREATE INDEX cause_sessions_by_session ON ${schema}cause_sessions (org, ${key});
    CREATE TABLE ${schema}incidents (
      org ${integer} NOT NULL, project ${integer} NOT NULL, id ${text} NOT NULL, cause ${text} NOT NULL,
      kind ${text} NOT NULL, tool ${text} NOT NULL, target ${text} NOT NULL, said ${text} NOT NULL,
      opened ${number} NOT NULL, first ${number} NOT NULL, last ${number} NOT NULL,
      sessions ${number} NOT NULL, users ${number} NOT NULL, calls ${number} NOT NULL, told ${number} NOT NULL,
      acknowledged ${number}, acknowledged_by ${text}, resolved ${number}, resolved_by ${text}, notes ${text} NOT NULL,
      PRIMARY KEY (org, project, id)
    );
    CREATE UNIQUE INDEX incidents_open ON ${schema}incidents (org, project, cause) WHERE resolved IS NULL;
    CREATE INDEX incidents_by_time ON ${schema}incidents (org, opened);
    CREATE TABLE ${schema}incident_changes (
      org ${integer} NOT NULL, project ${integer} NOT NULL, incident ${text} NOT NULL, n ${integer} NOT NULL,
      change ${text} NOT NULL, at ${number} NOT NULL, told ${number},
      PRIMARY KEY (org, project, incident, n),
      FOREIGN KEY (org, project, incident) REFERENCES ${schema}incidents ON DELETE CASCADE
    );
    CREATE INDEX incident_changes_untold ON ${schema}incident_changes (org, at) WHERE told IS NULL;
  `;
}
