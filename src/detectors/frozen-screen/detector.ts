import { defineShape } from '../action-window.ts';

export const frozenScreen = defineShape({
  name: 'frozen-screen',
  isLoop: (actions) => {
    const state = actions[0]?.state ?? null;
    return state !== null && actions.every((action) => action.state === state);
  },
  explain: ({ count, facts }) => `the screen has not changed over ${count} actions (the last: \`${facts.action}\`)`,
  moves: [
    'find out whether the page still reacts: scroll, or reload it',
    'look for a dialog, a field with a complaint or a missing value that holds everything up',
    'do something that must show a change, or say what is in the way',
  ],
});
