import { defineShape, isSameSpot } from '../action-window.ts';

export const driftingClick = defineShape({
  name: 'drifting-click',
  isLoop(actions) {
    const [first] = actions;
    return first !== undefined && actions.every((action) => isSameSpot(first, action)) && actions.some(({ key }) => key !== first.key);
  },
  explain: ({ count, facts }) => `\`${facts.action}\` was aimed at nearly the same spot ${count} times in a row`,
  moves: [
    'read the screen once more to find where the target really is, and what is in front of it',
    'reach it by the keyboard instead: Tab to it, then Return or Space',
    'go on to the next part of the task, or say what is in the way',
  ],
});
