import { startClaimChips } from './claim-chips.ts';
import { keepLoginForms } from './held-forms.ts';
import { startUserSearch } from './user-search.ts';

// The login screen does without; it is quicker with.
startUserSearch();
startClaimChips();
keepLoginForms();
