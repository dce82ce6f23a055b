import { isElsewhere } from "../../bds/address.ts";
import { isOfImage } from "../../bds/container-image.ts";
import type { Files } from "../../bds/files.ts";
import type { ServerFolder } from "../../bds/folder.ts";
import { likelyVersion } from "../../bds/game-version.ts";
import { CLASH, clashes, networkFaults, networkOf } from "../../bds/network.ts";
import { ownAddresses } from "../../bds/system.ts";
import type { SidecarSide } from "./sidecar.ts";

/** What would keep players out once the server starts, with what mends it. */
export function networkNotes(server: ServerFolder, sidecar: SidecarSide, files: Files): string[] {
  const version = likelyVersion(server, files);
  if (version === undefined) return [];
  const faults = networkFaults(server, version).flatMap(({ what, mend }) => {
    if (mend === undefined) return [];
    return [`${what}: ${"pair" in mend ? `set ${mend.pair} in ${server.propertiesFile}` : mend.words}`];
  });
  const own = ownAddresses();
  if (isOfImage(server) || isElsewhere(sidecar.url, "", own)) return faults;
  const network = networkOf(server, version);
  const shared = Object.entries(sidecar.listeners).find(([, listener]) => clashes(network, listener, own));
  if (shared === undefined) return faults;
  const [key, { port }] = shared;
  const mend = `give one of them another port, in ${server.propertiesFile} or ${sidecar.configFile}`;
  return [...faults, `the server and ${key} both have ${port}, and ${CLASH}: ${mend}`];
}
