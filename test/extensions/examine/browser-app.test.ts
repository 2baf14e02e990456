import { careful, createBrowserApp } from './careful-browser.ts';
import { itTellsApart } from './tells-apart.ts';

itTellsApart({
  plan: 'browser-app',
  entry: careful,
  create: createBrowserApp,
  recommended: ['code-in-address', 'tokens-in-storage'],
});
