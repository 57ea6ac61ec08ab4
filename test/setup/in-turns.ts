import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Spreads the files of each project evenly over those of its group: some projects compute, others wait for programs. */
export class InTurns extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = Map.groupBy(await super.sort(files), ({ project }) => project);
    return [...projects]
      .flatMap(([{ config }, own]) => own.map((file, i) => ({ file, group: config.sequence.groupOrder, place: (i + 0.5) / own.length })))
      .sort((one, another) => one.group - another.group || one.place - another.place)
      .map(({ file }) => file);
  }
}
