/** Progressive enhancement of the dashboard. Without scripts, pages lack only live updates and copy buttons. */

import { startCopyButtons } from './copy.ts';
import { startClaimsTables, startFaultFields, startFilter } from './fields.ts';
import { keepDashboardForms } from './held-forms.ts';
import { startKeys } from './keys.ts';
import { startLive } from './live.ts';
import { startLiveList } from './live-list.ts';
import { startFlow, startFollowing, startHome } from './live-parts.ts';
import { startOlderRows } from './live-rows.ts';
import { enhance } from './page.ts';
import { startPalette } from './palette.ts';
import { startDecode, startTokenPreview } from './previews.ts';
import { startRestart } from './restart.ts';
import { startDialogs, startShell } from './shell.ts';
import { startTimes } from './times.ts';
import { startTokenTools } from './token-tools.ts';
import { startVisited } from './visited.ts';

enhance(startCopyButtons);
enhance(startDialogs);
startTimes();
startClaimsTables();
startTokenPreview();
startTokenTools();
startDecode();
startShell();
startLiveList();
startOlderRows();
startFilter();
startFaultFields();
startKeys();
startVisited();
startPalette();
startFlow();
startHome();
startFollowing();
startRestart();
keepDashboardForms();
// a recorded session does not change
if (document.body.dataset.recorded === undefined) startLive();
