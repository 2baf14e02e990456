/**
 * The tables of settings of extensions, by the name of the extension. Each extension adds its own
 * (`declare module '…/config/extension-tables.ts'`), so that the type of a configuration file has them.
 */
// biome-ignore lint/suspicious/noEmptyInterface: extensions add members
export interface ExtensionTables {}
