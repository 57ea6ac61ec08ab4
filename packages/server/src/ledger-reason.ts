import { errorReason } from '@unrut/engine/redact/reason';
import { isAway, toPostgresFault } from '@unrut/postgres/postgres-error';

/**
 * Why a ledger could not be used. Database messages are omitted; `problem` writes them to the log.
 */
export const ledgerReason = (error: unknown): string =>
  errorReason(isAway(error) ? toPostgresFault('the database', error) : error);
