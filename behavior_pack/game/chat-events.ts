import { attempt, field, peek, type ReportMissing } from "./features.ts";
import { mc } from "./modules.ts";

/** A chat message: name as the game shows it, text, id of the speaker, and number of recipients (0: everybody). */
type Said = (name: string, text: string, speaker: string | undefined, targets: number) => void;

/** Subscribes to chat messages, which need the experiment; to be called in early execution. */
export function subscribeToChat(said: Said, missing: ReportMissing): void {
  try {
    mc.world.afterEvents.chatSend.subscribe(event => void attempt(() => relayChat(event, said)));
  } catch {
    missing("world.afterEvents.chatSend", "game chat does not reach the website");
  }
}

function relayChat(event: mc.ChatSendAfterEvent, said: Said): void {
  // If this throws, the message is not relayed: it may be private.
  const targets = "targets" in event && event.targets !== undefined ? event.targets.length : 0;
  const { sender } = event;
  // A simulated player of another pack.
  if (sender === undefined) return;
  const prefix = field(sender, "chatMessagePrefix") ?? "";
  said(displayName(sender), prefix + event.message, peek(sender, "id"), targets);
}

function displayName(sender: mc.Player): string {
  const name = field(sender, "chatDisplayName");
  return typeof name === "string" && name !== "" ? name : sender.name;
}
