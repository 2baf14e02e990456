/** Enhancement of the dashboard: every page does its job without it, but for live updates and copy buttons. */
import { startCopyButtons } from './copy.ts';
import { startHome } from './home.ts';
import { startLive } from './live.ts';
import { startShell } from './shell.ts';
import { startTimes } from './times.ts';
import { startTokenList } from './token-list.ts';

startCopyButtons();
startTimes();
startShell();
startTokenList();
startHome();
startLive();
