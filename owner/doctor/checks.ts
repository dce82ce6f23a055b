import * as reading from "./file-permissions.ts";
import { ok } from "./finding.ts";
import * as joining from "./game-network.ts";
import * as servers from "./game-servers.ts";
import * as packs from "./packs.ts";
import { checkStartedByHand } from "./port-conflicts.ts";
import { checkRedis } from "./redis.ts";
import { type Check, pairCheck, serverCheck, sidecarCheck } from "./run-checks.ts";
import * as running from "./running-sidecar.ts";
import * as script from "./script-config.ts";
import * as properties from "./server-properties.ts";
import * as sidecar from "./sidecar-settings.ts";
import * as signIn from "./sign-in.ts";
import { checkWebhooks } from "./webhooks.ts";
import * as server from "./world.ts";

/** What keeps a pack from connecting. */
const OF_CONNECTION = [
  ...["server-reads", "world", "beta-apis", "game-version", "pack", "pack-listed", "script-folder"],
  ...["permissions", "allowed-uris", "bridge-url", "bridge-token", "ports", "token-accepted"],
];

/** All checks but those that open the configuration and the server's folder, in the order in which to fix things. */
export const CHECKS: readonly Check[] = [
  {
    ...{ id: "ports", needs: [], of: "server" },
    run: ({ target }) => (target?.sidecar === undefined ? [] : properties.checkPorts(target, target.sidecar)),
  },
  pairCheck("server-name", [], servers.checkName),
  serverCheck("server-running", [], target => {
    const pid = target.running?.pid === undefined ? "" : ` (process ${target.running.pid})`;
    return target.running === undefined ? [] : [ok(`the server is running${pid}`)];
  }),
  serverCheck("server-program", [], reading.checkProgram),
  serverCheck("server-reads", [], reading.checkReading),
  serverCheck("world", ["server-reads"], server.checkWorld),
  serverCheck("game-version", ["world"], server.checkGame),
  serverCheck("pack", ["world"], target => packs.checkInstalled(target, target.behavior)),
  serverCheck("pack-listed", ["pack"], target => packs.checkListed(target, target.behavior)),
  serverCheck("resource-pack", ["world"], packs.checkResourcePack),
  serverCheck("resource-pack-listed", ["resource-pack"], packs.checkResourceListed),
  serverCheck("beta-apis", ["world"], server.checkLevel),
  serverCheck("script-folder", ["server-reads"], script.checkFolder),
  serverCheck("permissions", ["script-folder"], script.checkPermissions),
  serverCheck("variables", ["script-folder"], script.checkVariables),
  serverCheck("bridge-url", ["variables", "ports"], script.checkAddress),
  serverCheck("allowed-uris", ["permissions", "bridge-url"], script.checkUris),
  serverCheck("world-name", ["variables", "world"], script.checkWorldName),
  pairCheck("bridge-token", ["script-folder", "token-file"], script.checkToken),
  pairCheck("other-server", ["bridge-token"], servers.checkOthers),
  serverCheck("properties-encoding", [], properties.checkEncoding),
  serverCheck("content-log", [], properties.checkContentLog),
  serverCheck("online-mode", [], properties.checkOnlineMode),
  serverCheck("allow-list", [], properties.checkAllowList),
  pairCheck("allow-list-users", [], properties.checkListOfImage),
  serverCheck("chat-restriction", [], properties.checkChat),
  serverCheck("script-watchdog", [], properties.checkWatchdog),
  serverCheck("texturepack-required", ["resource-pack"], properties.checkTexturePack),
  serverCheck("network", [], properties.checkNetwork),
  serverCheck("other-game", ["network"], joining.checkOtherGames),
  serverCheck("game-ports", ["network", "ports"], joining.checkGamePorts),
  serverCheck("game-answers", ["online-mode", "other-game", "game-ports"], joining.checkAnswers),
  sidecarCheck("fixed-ports", [], sidecar.checkFixedPorts),
  { id: "disk-space", needs: [], of: "sidecar", run: sidecar.checkDisks },
  sidecarCheck("notes", [], sidecar.checkNotes),
  sidecarCheck("sign-in-files", [], signIn.checkSignInFiles),
  sidecarCheck("redis", [], checkRedis),
  sidecarCheck("sidecar-running", ["ports", "fixed-ports", "hosts"], running.checkListeners),
  sidecarCheck("sidecar-clock", ["sidecar-running"], running.checkSidecarClock),
  sidecarCheck("started-by-hand", ["sidecar-running"], checkStartedByHand),
  sidecarCheck("token-accepted", ["sidecar-running"], running.checkAccepted),
  sidecarCheck("running-settings", ["token-accepted"], running.checkSettings),
  sidecarCheck("webhooks", ["token-accepted"], checkWebhooks),
  sidecarCheck("sign-in", ["sidecar-running"], signIn.checkSignIn),
  pairCheck("connected-world", ["token-accepted"], running.checkConnectedWorld),
  pairCheck("pack-connected", OF_CONNECTION, running.checkConnected),
];
