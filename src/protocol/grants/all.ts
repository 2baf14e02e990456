// Every grant, one per line. They are loaded at the start; modules that only some of them need are loaded on first use.
export { authorizationCode } from './authorization-code.ts';
export { ciba } from './ciba.ts';
export { clientCredentials } from './client-credentials.ts';
export { deviceCode } from './device-code.ts';
export { jwtBearer } from './jwt-bearer.ts';
export { password } from './password.ts';
export { refreshToken } from './refresh-token.ts';
export { tokenExchange } from './token-exchange.ts';
