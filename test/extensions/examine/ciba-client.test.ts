import { carefulCiba, createCarefulCiba } from './careful-ciba.ts';
import { itTellsApart } from './tells-apart.ts';

itTellsApart({
  plan: 'ciba-client',
  entry: carefulCiba,
  create: createCarefulCiba,
  recommended: ['invalid-secondary-aud'],
});
