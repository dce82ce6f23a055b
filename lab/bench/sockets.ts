import { once } from "node:events";
import { WebSocket } from "ws";

/** Opens a chat socket in this process and waits for the greeting. */
export async function chatSocket(base: string): Promise<WebSocket> {
  const socket = new WebSocket(chatUrl(base), { perMessageDeflate: false });
  await once(socket, "message");
  return socket;
}

export const chatUrl = (base: string): string => `${base.replace("http", "ws")}/chat`;

export const chatLine = (content: string): string => JSON.stringify({ type: "CHAT", content });
