/**
 * Runs keep states under names beside their session, with a character that no session's name has: few among many, so they have an index of
 * their own. The name of a state never changes, so updates of a state touch no index all the same.
 */
export const REPORTS_2 = String.raw`
  CREATE INDEX states_of_runs ON unrut.states (org, session) WHERE position(E'\x01' IN session) > 0;
`;
