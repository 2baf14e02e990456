import { startClaimChips } from './claim-chips.ts';
import { startCopyButtons } from './copy.ts';
import { keepLoginForms } from './held-forms.ts';
import { startUserSearch } from './user-search.ts';

// The pages for users work without scripts, also their errors. These scripts save time.
startUserSearch();
startClaimChips();
startCopyButtons();
keepLoginForms();
