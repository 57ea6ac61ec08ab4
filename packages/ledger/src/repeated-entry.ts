import { UnrutError } from '@unrut/engine/errors';

/** An entry that had to be new is already in the ledger. Nothing was written. */
export class RepeatedEntry extends UnrutError {
  readonly id: string;

  constructor(id: string) {
    super('repeated-entry', `The ledger has an entry ${id} already. Leave it out.`);
    this.id = id;
  }
}
