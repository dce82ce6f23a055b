import type { Config } from "../../config/settings.ts";
import { createRateLimiter, perMinute } from "../rate-limit.ts";

type Limits = Config["modules"]["api"]["limits"];

export type ChatRates = ReturnType<typeof createChatRates>;

/** The rates of chat lines that sockets share: those of an address, and all of the web together. */
export function createChatRates(limits: Limits) {
  const addresses = createRateLimiter(perMinute(limits.messagesPerMinutePerAddress));
  const everybody = createRateLimiter({ perSecond: limits.chatLinesPerSecond, burst: limits.chatLinesBurst });
  return {
    /** Counts a line of an address; the limit that it is over, which counts it no further, or undefined. */
    take(address: string, now: number): "address" | "everybody" | undefined {
      if (!addresses.take(address, now)) return "address";
      return everybody.take("", now) ? undefined : "everybody";
    },
    /** A line that was counted may not be sent: it takes nothing of what all of the web may. */
    giveBack: () => everybody.giveBack(""),
  };
}
