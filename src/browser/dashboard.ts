/** Enhancement of the dashboard: every page does its job without it, but for live updates and copy buttons. */

import { startCopyButtons } from './copy.ts';
import { startDialogs } from './dialogs.ts';
import { startFilter } from './filter.ts';
import { startFlow, startPresenting } from './flow.ts';
import { startFollowing } from './follow.ts';
import { keepDashboardForms } from './held-forms.ts';
import { startHome } from './home.ts';
import { startKeys } from './keys.ts';
import { startLive } from './live.ts';
import { startLiveList } from './live-list.ts';
import { startOlderRows } from './older-rows.ts';
import { startRefresh } from './refresh.ts';
import { startRestart } from './restart.ts';
import { startShell } from './shell.ts';
import { startTimes } from './times.ts';
import { startTokenPreview } from './token-preview.ts';
import { startTokenTools } from './token-tools.ts';

startCopyButtons();
startTimes();
startDialogs();
startTokenPreview();
startTokenTools();
startShell();
startLiveList();
startOlderRows();
startFilter();
startKeys();
startFlow();
startPresenting();
startHome();
startFollowing();
startRefresh();
startRestart();
keepDashboardForms();
startLive();
