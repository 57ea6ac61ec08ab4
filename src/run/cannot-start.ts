import { UnrutError } from '../errors.ts';

/** For an agent whose command cannot be started: nothing comes of trying it again. */
export const cannotStart = (problem = 'it could not be started'): UnrutError =>
  new UnrutError('usage', `Cannot run the agent: ${problem}.`);
