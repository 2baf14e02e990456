// Every grant, a line each. They are loaded at the start; what only some of them need is loaded when they are first redeemed.
export { authorizationCode } from './authorization-code.ts';
export { ciba } from './ciba.ts';
export { clientCredentials } from './client-credentials.ts';
export { deviceCode } from './device-code.ts';
export { jwtBearer } from './jwt-bearer.ts';
export { password } from './password.ts';
export { refreshToken } from './refresh-token.ts';
export { tokenExchange } from './token-exchange.ts';
