import { defineShape } from '../action-window.ts';

export const repeatedAction = defineShape({
  name: 'repeated-action',
  isLoop(actions) {
    const [first] = actions;
    if (!first || actions.some(({ key }) => key !== first.key)) return false;
    // Scrolling, waiting and paging are repeated on purpose as long as the screen changes.
    return first.kind !== 'move-view' || actions.every(({ state }) => state === first.state);
  },
  explain: ({ count, facts }) =>
    `\`${facts.action}\` was done ${count} times in a row in the same way`,
  moves: [
    'look at the screen and check whether the action changed what it should',
    'do it another way: with the keyboard, by typing, or through another control',
    'go on to the next part of the task, or report what is in the way',
  ],
});
