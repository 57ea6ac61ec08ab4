import type { DatabaseSync } from 'node:sqlite';
import { incidentTables } from '../incidents/incident-tables.ts';

/**
 * A file has one organisation and one project: 1. `mark`: the last entry whose signals were
 * processed.
 */
export function createIncidentTables(database: DatabaseSync): void {
  database.exec(
    incidentTables('', {
      text: 'TEXT',
      integer: 'INTEGER',
      number: 'REAL',
      session: 'session TEXT',
      ofSession: 'FOREIGN KEY (session) REFERENCES sessions ON DELETE CASCADE',
    }),
  );
  database.exec('ALTER TABLE upkeep ADD COLUMN mark INTEGER');
}
