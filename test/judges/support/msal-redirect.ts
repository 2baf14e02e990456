import { broadcastResponseToMainFrame } from '@azure/msal-browser/redirect-bridge';

await broadcastResponseToMainFrame();
