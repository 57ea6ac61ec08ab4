import { defineShape } from '../action-window.ts';

export const repeatedAction = defineShape({
  name: 'repeated-action',
  isLoop(actions) {
    const [first] = actions;
    if (!first || actions.some(({ key }) => key !== first.key)) return false;
    // Scrolling, waiting and paging are repeated on purpose as long as they show something else.
    return first.kind !== 'move-view' || actions.every(({ state }) => state === first.state);
  },
  explain: ({ count, facts }) => `\`${facts.action}\` was done ${count} times in a row in exactly the same way`,
  moves: [
    'look at the screen and say what the action was to change, and whether it did',
    'use another kind of action for the same purpose: the keyboard, typing, or scrolling to something else',
    'go on to the next part of the task, or say what is in the way',
  ],
});
