/**
 * The parts of a run for the loop that all runs share. A roadmap has many jobs; a prompt is a
 * roadmap of one task, whose job is always the next iteration.
 */
export interface WorkLoop<Job, End> {
  /** Maximum number of jobs at the same time. */
  parallel: number;
  /** The ending, checked before each job; undefined if the run continues. */
  endsNow(): End | undefined | Promise<End | undefined>;
  /** Chooses the next job; undefined if there is none for now. */
  next(): Job | undefined | Promise<Job | undefined>;
  /** Does a job. Returns how the run ends, if it ends with this job. */
  perform(job: Job): Promise<End | undefined>;
  /**
   * Called when there is no job and none is under way: waits for one, or returns how the run ends.
   * `times` counts these calls since the last job.
   */
  wait(times: number): Promise<End | undefined>;
}

/**
 * Performs jobs until the run ends, and returns its ending. Waits for jobs that are still under
 * way. Rejects if a job does.
 */
export async function workLoop<Job, End>(run: WorkLoop<Job, End>): Promise<End> {
  const underWay = new Set<Promise<void>>();
  /** Set by the first job that ends the run. Throws if the job threw. */
  let ended: (() => End) | undefined;
  let idle = 0;
  async function begin(job: Job): Promise<void> {
    try {
      const end = await run.perform(job);
      if (end !== undefined) ended ??= () => end;
    } catch (error) {
      ended ??= () => {
        throw error;
      };
    }
  }
  try {
    for (;;) {
      const end = ended ? ended() : await run.endsNow();
      if (end !== undefined) return end;
      const job = await run.next();
      if (job !== undefined) {
        idle = 0;
        const doing = begin(job).finally(() => underWay.delete(doing));
        underWay.add(doing);
        if (underWay.size >= run.parallel) await Promise.race(underWay);
      } else if (underWay.size > 0) await Promise.race(underWay);
      else {
        const over = await run.wait(++idle);
        if (over !== undefined) return over;
      }
    }
  } finally {
    await Promise.allSettled(underWay);
  }
}
