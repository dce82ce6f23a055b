/** Version of the product, announced by both sides when they meet; equal to the one in package.json. */
export const PRODUCT_VERSION = "0.1.0";

/** Version of the messages between pack and sidecar. Raised when a message changes its meaning. */
export const WIRE_VERSION = 2;

/** Oldest wire version that this build still understands. */
export const WIRE_OLDEST = 2;

interface WireRange {
  /** newest wire version a side speaks */
  wire: number;
  /** oldest wire version it still understands */
  wireOldest: number;
}

/** Says which side has to be updated before the two can talk, or nothing when they can. */
export function sideToUpdate(pack: WireRange, sidecar: WireRange): "pack" | "sidecar" | undefined {
  if (pack.wire < sidecar.wireOldest) return "pack";
  if (sidecar.wire < pack.wireOldest) return "sidecar";
  return undefined;
}
