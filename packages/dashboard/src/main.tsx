import './style/palette.css';
import './style/loop.css';
import './style/base.css';
import './style/layout.css';
import './style/parts.css';
import './style/now.css';
import './style/session.css';
import './style/picture.css';
import { render } from 'preact';
import { askWhoIAm, me } from './api/me.ts';
import { followLedger, liveness } from './api/stream.ts';
import { App } from './app.tsx';
import { applyTheme } from './preferences.ts';

applyTheme();
render(<App />, document.getElementById('app')!);
void followLedger();
void askWhoIAm();
// It was not answered while the server was gone.
liveness.subscribe(() => liveness.get() === 'live' && me.get() === null && void askWhoIAm());
