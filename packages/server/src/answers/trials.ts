import { MEASURES, type Measure } from '@unrut/ledger/trial/trial';
import { choice, list, maybe, named, numeric, object, text } from '../route/schema-words.ts';

const names = Object.keys(MEASURES) as Measure[];

/** Whether sessions go better in which Unrut acts. */
export const trialsSchema = named(
  'Trials',
  object({
    trials: list(
      object({
        trial: text('Its name, if it has one, and the share of sessions that are only recorded.'),
        since: numeric('When its first session began, in epoch milliseconds.'),
        guarded: numeric('Sessions in which Unrut acts.'),
        recorded: numeric('Sessions in which it only records.'),
        left: numeric('Sessions in which somebody switched Unrut off or on; they count in no arm.'),
        acted: numeric('How often Unrut acted in guarded sessions.'),
        falseAlarms: numeric('How many of these people called a false alarm.'),
        measures: list(
          object({
            name: choice(names),
            guarded: numeric(),
            recorded: numeric(),
            difference: maybe(
              object(
                { value: numeric(), low: numeric(), high: numeric() },
                'Guarded less recorded, with its 95 % interval.',
              ),
            ),
          }),
          'The first decides the verdict.',
        ),
        verdict: choice(
          ['less', 'more', 'unclear', 'too-few'],
          'What guarded sessions lose to loops, compared with the others.',
        ),
        missing: numeric(
          'About how many more sessions each arm needs: before anything is compared, or before a ' +
            'difference of 5 % can be seen.',
        ),
        text: text('The verdict in a sentence.'),
      }),
      'Latest first.',
    ),
  }),
);
