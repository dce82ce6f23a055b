import { hashOf, Pixels } from "./pixels.tsx";

const SKINS = ["#f2d3b3", "#e5b58f", "#d09a6c", "#ad7848", "#8a5a36", "#70492f"];
const HAIRS = ["#d2a24c", "#4a3221", "#7b4f2b", "#a8672f", "#2a1f1a", "#8b2f24", "#1f1f24"];
const EYES = ["#3a5fa8", "#3f7a4a", "#5a3c28", "#4a4a55", "#7a4f9a"];
const HAIRCUTS = [
  ["hhhhhhhh", "hhhhhhhh", "hhssssHh", "hssssssh"],
  ["hhhhhhhh", "hhhhhhhh", "hhhhsssh", "hssssssh"],
  ["HhhhhhhH", "hhhhhhhh", "hshsshsh", "ssssssss"],
  ["hhhhhhhh", "hHhhhhHh", "hhhhhhhh", "hhssssHh"],
  ["sshhhhss", "shhhhhhs", "ssssssss", "ssssssss"],
];
const FACES = [
  ["swessews", "sssSSsss", "ssmmmmss", "ssssssss"],
  ["swessews", "sssSSsss", "sshmmhss", "ssshhsss"],
  ["swessews", "ssSSSSss", "sSmmmmSs", "sSssssSs"],
  ["swessews", "sssSSsss", "sssmmsss", "ssssssss"],
];

/** A face of its own for each name. */
export function Head({ name }: { name: string }) {
  const pick = <T,>(from: readonly T[], part: string): T | undefined =>
    from[hashOf(`${name} ${part}`) % from.length];
  const skin = pick(SKINS, "skin") ?? "";
  const hair = pick(HAIRS, "hair") ?? "";
  const rows = [...(pick(HAIRCUTS, "cut") ?? []), ...(pick(FACES, "face") ?? [])];
  const palette = {
    s: skin,
    S: `color-mix(in srgb, ${skin} 82%, #5a2a10)`,
    h: hair,
    H: `color-mix(in srgb, ${hair} 80%, white)`,
    w: "#ffffff",
    e: pick(EYES, "eyes") ?? "",
    m: `color-mix(in srgb, ${skin} 45%, #a8473c)`,
  };
  return <Pixels rows={rows} palette={palette} kind="head" />;
}
