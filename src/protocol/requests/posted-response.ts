/** A response mode of a dialect: a page posts the answer as a message to the window that asked, such as `web_message`. */
export type MessageMode = `${string}_message`;

/** The answer for such a page. Only a window of the origin of the redirect URI may read it. */
export interface PostedResponse {
  readonly kind: 'message';
  readonly mode: MessageMode;
  readonly origin: string;
  readonly parameters: Readonly<Record<string, string>>;
}
