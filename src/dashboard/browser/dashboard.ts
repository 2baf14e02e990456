/** Progressive enhancement of the dashboard. Without scripts, pages lack only live updates and copy buttons. */

import { startClaimsTables } from './claims-table.ts';
import { startCopyButtons } from './copy.ts';
import { startDecode } from './decode.ts';
import { startDialogs } from './dialogs.ts';
import { startFaultFields } from './fault-fields.ts';
import { startFilter } from './filter.ts';
import { startFlow } from './flow.ts';
import { startFollowing } from './follow.ts';
import { keepDashboardForms } from './held-forms.ts';
import { startHome } from './home.ts';
import { startKeys } from './keys.ts';
import { startLive } from './live.ts';
import { startLiveList } from './live-list.ts';
import { startOlderRows } from './older-rows.ts';
import { startPalette } from './palette.ts';
import { startPresenter } from './presenter.ts';
import { enhance } from './redraw.ts';
import { startRestart } from './restart.ts';
import { startShell } from './shell.ts';
import { startTimes } from './times.ts';
import { startTokenPreview } from './token-preview.ts';
import { startTokenTools } from './token-tools.ts';

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
startPalette();
startFlow();
startPresenter();
startHome();
startFollowing();
startRestart();
keepDashboardForms();
// a recorded session does not change
if (document.body.dataset.recorded === undefined) startLive();
