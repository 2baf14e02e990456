import { startClaimChips } from './claim-chips.ts';
import { startCopyButtons } from './copy.ts';
import { keepLoginForms } from './held-forms.ts';
import { startUserSearch } from './user-search.ts';

// The pages for users and their errors work without scripts; these save time.
startUserSearch();
startClaimChips();
startCopyButtons();
keepLoginForms();
