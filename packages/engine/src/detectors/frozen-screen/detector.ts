import { defineShape } from '../action-window.ts';

export const frozenScreen = defineShape({
  name: 'frozen-screen',
  isLoop: (actions) => {
    const state = actions[0]?.state ?? null;
    return state !== null && actions.every((action) => action.state === state);
  },
  explain: ({ count, facts }) =>
    `the screen has not changed over ${count} actions (the last: \`${facts.action}\`)`,
  moves: [
    'check that the page still reacts: scroll, or reload it',
    'look for an open dialog, an invalid field or a missing value',
    'do something that must show a change, or report what is in the way',
  ],
});
