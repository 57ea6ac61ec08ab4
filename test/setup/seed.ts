import fc from 'fast-check';

/**
 * Properties try the same cases each time, so that a failure is the change's own; another
 * `UNRUT_SEED` tries others.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.UNRUT_SEED ?? 1) });
