import type { ExamPlan } from '../exam-module.ts';
import { baseline } from './baseline.ts';
import { idTokenModules, signatureModules } from './id-token.ts';
import { metadataModules, rotationModules } from './keys.ts';
import { refreshModules } from './refresh.ts';
import { responseModules } from './response.ts';
import { tokenHashModules } from './token-hash.ts';
import { userInfoModules } from './userinfo.ts';

/** Clients of OpenID Connect, by the names of the relying-party tests of the OpenID Foundation. */
export const relyingParty: ExamPlan = {
  id: 'relying-party',
  title: 'OpenID Connect relying party',
  about: 'For each app that signs people in with OpenID Connect and the code flow.',
  modules: [
    baseline,
    ...idTokenModules,
    ...signatureModules,
    ...tokenHashModules,
    ...metadataModules,
    ...userInfoModules,
    ...responseModules,
    ...refreshModules,
    ...rotationModules,
  ],
};
