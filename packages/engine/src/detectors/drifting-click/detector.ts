import { defineShape, isSameSpot } from '../action-window.ts';

export const driftingClick = defineShape({
  name: 'drifting-click',
  isLoop(actions) {
    const [first] = actions;
    return (
      first !== undefined &&
      actions.every((action) => isSameSpot(first, action)) &&
      actions.some(({ key }) => key !== first.key)
    );
  },
  explain: ({ count, facts }) =>
    `\`${facts.action}\` was aimed at nearly the same spot ${count} times in a row`,
  moves: [
    'look at the screen again to see where the target really is and what covers it',
    'reach it by the keyboard instead: Tab to it, then Return or Space',
    'go on to the next part of the task, or report what is in the way',
  ],
});
