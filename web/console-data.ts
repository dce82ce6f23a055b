/** Who may write into the chat from the web; `off`: there is no chat. */
export type WebChatMode = "everybody" | "linked" | "read-only" | "off";

/** What the page has to know before it can show anything. Body of `GET /console.json`, which is private to the page. */
export interface ConsoleData {
  title: string;
  refreshMs: number;
  heartbeatMs: number;
  verificationMs: number;
  /** longest chat text, in UTF-16 code units */
  messageLength: number;
  messagesPerSecond: number;
  messagesBurst: number;
  webChat: WebChatMode;
  /** whether the whitelist can be used at all */
  whitelist: boolean;
}
