/** Whether everything is done, as by `npm run test:fleet`, or what CI has time for. */
export const isFull: boolean = process.env.UNRUT_FLEET === 'full';
