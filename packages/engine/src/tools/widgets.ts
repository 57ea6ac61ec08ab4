import type { EditWords } from '../prints.ts';
import { type Family, type Profile, toolsNamed } from './profile.ts';

/** The words that notes use for widgets. The wording is fixed, because users search for it. */
export const WIDGET_WORDS: EditWords = {
  act: 'patch',
  object: 'on this widget',
  look: 'a fresh readWidget',
  remedy: 'verify visually or report current state instead of patching again',
};

const WIDGET = {
  target: ['widgetId', 'widget_id', 'id', 'widget'],
  kind: 'widget',
  space: ['spaceId', 'space_id', 'space'],
} satisfies Partial<Profile>;
const BATCH = ['widgetIds', 'widget_ids', 'ids', 'widgets'];

const looks: Profile = { ...WIDGET, verb: 'read', look: true };
/** Any operation on the widget other than a patch ends the streak. */
const operates: Profile = { ...WIDGET, verb: 'write', clears: 'target' };
const reloads: Profile = {
  ...operates,
  verb: 'execute',
  effect: 'target',
  when: ({ silent }) => (silent === true ? { clears: 'none' } : null),
};
/** The layout belongs to the space, not to a widget. */
const lays: Profile = { verb: 'write', target: WIDGET.space, kind: 'layout', space: WIDGET.space };
const clearsSpace: Profile = {
  verb: 'write',
  target: ['spaceId', 'space_id', 'space', 'id'],
  kind: 'space',
  clears: 'space',
  effect: 'any',
};

/** Spaces with widgets that are patched without looking. */
export const widgets: Family = {
  patchWidget: {
    ...WIDGET,
    verb: 'write',
    patch: true,
    edit: { edits: 'edits', content: ['renderer', 'source', 'content', 'patch'] },
  },
  ...toolsNamed('readWidget getWidget seeWidget', looks),
  ...toolsNamed('renderWidget upsertWidget removeWidget', operates),
  ...toolsNamed('upsertWidgets removeWidgets', { ...operates, batch: BATCH }),
  reloadWidget: reloads,
  reloadWidgets: { ...reloads, batch: BATCH },
  ...toolsNamed('removeAllWidgets removeSpace deleteSpace', clearsSpace),
  listWidgets: { verb: 'read', wide: true },
  ...toolsNamed(
    `moveWidget resizeWidget toggleWidget toggleWidgets minimizeWidget arrangeWidgets rearrangeWidgets repairLayout setLayout saveLayout
     saveSpaceLayout`,
    lays,
  ),
};
