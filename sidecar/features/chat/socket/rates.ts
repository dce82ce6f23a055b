import type { Config } from "../../../config/settings.ts";
import type { Rates } from "../../../kernel/storage/ports.ts";
import { perMinute } from "../../../platform/rate.ts";

type Limits = Config["modules"]["api"]["limits"];

/** Limits of the lines that sockets share, in the order in which they are counted. */
export const CHAT_LIMITS = ["address", "everybody"] as const;

export type ChatRates = ReturnType<typeof createChatRates>;

/** The rates of chat lines that sockets share: those of an address, and all of the web together. */
export function createChatRates(rates: Rates, limits: Limits) {
  const addresses = { name: "chat-address", ...perMinute(limits.messagesPerMinutePerAddress) };
  const rate = {
    name: "chat-everybody",
    perSecond: limits.chatLinesPerSecond,
    burst: limits.chatLinesBurst,
  };
  const everybody = { key: "", rate };
  return {
    /** Counts a line of an address; place of the limit that it is over, which counts it no further, or -1. */
    take: (address: string) => rates.take({ key: address, rate: addresses }, everybody),
    /** A line that was counted may not be sent: it takes nothing of what all of the web may. */
    giveBack: () => rates.giveBack(everybody),
  };
}
