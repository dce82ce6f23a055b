/** Version of the product, sent by both sides in hello; equal to the one in package.json. */
export const PRODUCT_VERSION = "0.1.0";

/** Version of the messages between pack and sidecar. Increased when a message changes its meaning. */
export const WIRE_VERSION = 2;

/** Oldest wire version that this build understands. */
export const WIRE_OLDEST = 2;

interface WireRange {
  /** newest wire version a side speaks */
  wire: number;
  /** oldest wire version it still understands */
  wireOldest: number;
}

/** The side that has to be updated; undefined if the versions match. */
export function sideToUpdate(pack: WireRange, sidecar: WireRange): "pack" | "sidecar" | undefined {
  if (pack.wire < sidecar.wireOldest) return "pack";
  if (sidecar.wire < pack.wireOldest) return "sidecar";
  return undefined;
}
