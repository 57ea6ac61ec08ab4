import { defineHost } from '../define-host.ts';
import { crushAnswer } from './answer.ts';
import { crushInstall } from './install.ts';
import { crushPayload, isOfCrush } from './payload.ts';

export const crush = defineHost({
  name: 'crush',
  label: 'Crush',
  programs: ['crush'],
  hooks: {
    can: ['note', 'hint', 'block', 'stop'],
    callsHaveIds: false,
    signs: { form: isOfCrush, precedence: -1 },
    payload: crushPayload,
    answer: crushAnswer,
  },
  install: crushInstall,
});
