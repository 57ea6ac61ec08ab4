export { createSqliteLedger, type SqliteLedgerOptions } from './create-sqlite-ledger.ts';
export { ledgerPath } from './ledger-path.ts';
export type { Retention } from './retention.ts';
