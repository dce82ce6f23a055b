import { isRemote } from "../../bds/address.ts";
import { isContainerImage } from "../../bds/container-image.ts";
import type { Files } from "../../bds/files.ts";
import type { ServerFolder } from "../../bds/folder.ts";
import { likelyGameVersion } from "../../bds/game-version.ts";
import { needsSamePort, networkFaults, networkOf, SAME_PORT_EFFECT } from "../../bds/network.ts";
import { ownAddresses } from "../../bds/system.ts";
import type { SetupSidecar } from "./sidecar.ts";

/** Warnings about what will keep players out, each with its fix. */
export function networkNotes(server: ServerFolder, sidecar: SetupSidecar, files: Files): string[] {
  const version = likelyGameVersion(server, files);
  if (version === undefined) return [];
  const faults = networkFaults(server, version).flatMap(({ what, fix }) => {
    if (fix === undefined) return [];
    return [`${what}: ${"pair" in fix ? `set ${fix.pair} in ${server.propertiesFile}` : fix.words}`];
  });
  const own = ownAddresses();
  if (isContainerImage(server) || isRemote(sidecar.url, "", own)) return faults;
  const network = networkOf(server, version);
  const shared = Object.entries(sidecar.listeners).find(([, listener]) =>
    needsSamePort(network, listener, own),
  );
  if (shared === undefined) return faults;
  const [key, { port }] = shared;
  const fix = `give one of them another port, in ${server.propertiesFile} or ${sidecar.configFile}`;
  return [...faults, `the server and ${key} both have ${port}, and ${SAME_PORT_EFFECT}: ${fix}`];
}
