/**
 * What a sandbox tells a program beyond its core. Each extension declares its own members (`declare module '…/sandbox-members.ts'`).
 */
// biome-ignore lint/suspicious/noEmptyInterface: extensions add members
export interface SandboxMembers {}

/** The same of each issuer. */
// biome-ignore lint/suspicious/noEmptyInterface: extensions add members
export interface IssuerMembers {}

/** The same of a sandbox that runs elsewhere. */
// biome-ignore lint/suspicious/noEmptyInterface: extensions add members
export interface ConnectedMembers {}
