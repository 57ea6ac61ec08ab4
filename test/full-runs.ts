/**
 * Whether properties are checked at full length, as in `npm run properties`; otherwise on a sample.
 */
export const isFull: boolean = process.env.UNRUT_PROPERTIES === 'full';

/**
 * How many cases of a property to try: all of these, or a fifth as a sample. Counted, as a slow
 * machine would try none in a given time.
 */
export const casesOf = (full: number): number => (isFull ? full : Math.ceil(full / 5));
