import { incidentTables } from '@unrut/ledger/incidents/incident-tables';
import { isolated, TEXT } from './tables-1.ts';

const RIGHTS = 'SELECT, INSERT, UPDATE, DELETE';

/** Schema version with incidents. */
export const INCIDENTS: string = [
  incidentTables('unrut.', {
    text: TEXT,
    integer: 'integer',
    number: 'double precision',
    session: 'session_no bigint',
    ofSession: 'FOREIGN KEY (org, session_no) REFERENCES unrut.sessions ON DELETE CASCADE',
  }),
  ...['cause_sessions', 'incidents', 'incident_changes'].map((table) => isolated(table, RIGHTS)),
].join('');
