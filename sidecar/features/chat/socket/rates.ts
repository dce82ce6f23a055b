import type { Config } from "../../../config/settings.ts";
import type { Rates } from "../../../kernel/storage/ports.ts";
import { perMinute } from "../../../platform/rate.ts";

type Limits = Config["modules"]["api"]["limits"];

/** Limits of the lines that sockets share, in the order in which they are counted. */
export const CHAT_LIMITS = ["address", "everybody"] as const;

/** The rates of chat lines that sockets share: those of an address, and all of the web together. */
export interface ChatRates {
  /** Counts a line of an address; index in `CHAT_LIMITS` of the limit that is reached, or -1. */
  take(address: string): number | Promise<number>;
  /** Gives back a line that was counted and not sent to what all of the web may send. */
  giveBack(): void;
}

export function createChatRates(rates: Rates, limits: Limits): ChatRates {
  const addresses = { name: "chat-address", ...perMinute(limits.messagesPerMinutePerAddress) };
  const rate = {
    name: "chat-everybody",
    perSecond: limits.chatLinesPerSecond,
    burst: limits.chatLinesBurst,
  };
  const everybody = { key: "", rate };
  return {
    take: address => rates.take({ key: address, rate: addresses }, everybody),
    giveBack: () => rates.giveBack(everybody),
  };
}
