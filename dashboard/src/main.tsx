import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import './style/tokens.css';
import './style/base.css';
import './style/top.css';
import './style/band.css';
import './style/list.css';
import './style/pages.css';
import './style/overlays.css';
import { App } from './app';
import { startLive } from './state/live';
import { readMe } from './state/session';
import { startTheme } from './state/theme';

startTheme();
render(<App />, document.getElementById('page')!);
startLive();
void readMe();
