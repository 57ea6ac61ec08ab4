import type { EditWords } from '../prints.ts';
import type { Family, Profile } from './profile.ts';

/** How notes speak of widgets. The wording is fixed: users search for it. */
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
/** Any operation on the widget that is no patch ends the streak. */
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

/** Spaces with widgets that are patched blind. */
export const widgets: Family = {
  patchWidget: { ...WIDGET, verb: 'write', patch: true, edit: { edits: 'edits', content: ['renderer', 'source', 'content', 'patch'] } },
  readWidget: looks,
  getWidget: looks,
  seeWidget: looks,
  renderWidget: operates,
  upsertWidget: operates,
  upsertWidgets: { ...operates, batch: BATCH },
  reloadWidget: reloads,
  reloadWidgets: { ...reloads, batch: BATCH },
  removeWidget: operates,
  removeWidgets: { ...operates, batch: BATCH },
  removeAllWidgets: clearsSpace,
  removeSpace: clearsSpace,
  deleteSpace: clearsSpace,
  listWidgets: { verb: 'read', wide: true },
  moveWidget: lays,
  resizeWidget: lays,
  toggleWidget: lays,
  toggleWidgets: lays,
  minimizeWidget: lays,
  arrangeWidgets: lays,
  rearrangeWidgets: lays,
  repairLayout: lays,
  setLayout: lays,
  saveLayout: lays,
  saveSpaceLayout: lays,
};
