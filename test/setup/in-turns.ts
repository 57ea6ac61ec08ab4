import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take a minute although they are short, such as all tests of one agent: at the end they
 * would keep one worker alone.
 */
const LONG =
  /\/(?:more-agents|opencode|claude-code|gemini-cli|codex|terminal|unrut-run|quiet|memory|thousand-tasks)\.(?:\w+\.)?test\.ts$/;
/** What takes longest of all begins first. */
const LONGEST = /\/random-histories\./;
const isLong = ({ moduleId }: TestSpecification): boolean => LONG.test(moduleId);

/**
 * Spreads the files of each project evenly over those of its group: some projects compute, others
 * wait for programs.
 */
export class InTurns extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = Map.groupBy(await super.sort(files), ({ project }) => project);
    return [...projects]
      .flatMap(([{ config }, own]) =>
        own
          .toSorted((one, another) => Number(isLong(another)) - Number(isLong(one)))
          .map((file, i) => ({
            file,
            group: config.sequence.groupOrder,
            place: LONGEST.test(file.moduleId) ? 0 : (i + 0.5) / own.length,
          })),
      )
      .sort((one, another) => one.group - another.group || one.place - another.place)
      .map(({ file }) => file);
  }
}
