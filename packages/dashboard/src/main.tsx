import './style/palette.css';
import './style/loop.css';
import './style/base.css';
import './style/layout.css';
import './style/parts.css';
import './style/now.css';
import './style/session.css';
import './style/picture.css';
import { render } from 'preact';
import { askWhoIAm } from './api/me.ts';
import { followLedger } from './api/stream.ts';
import { App } from './app.tsx';
import { applyTheme } from './preferences.ts';

applyTheme();
render(<App />, document.getElementById('app')!);
void followLedger();
void askWhoIAm();
