/** Whether properties are to be checked at full length, as `npm run properties` does; else a sample of each is enough. */
export const isFull: boolean = process.env.UNRUT_PROPERTIES === 'full';
