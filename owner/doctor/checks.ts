import * as reading from "./file-permissions.ts";
import { ok } from "./finding.ts";
import * as joining from "./game-network.ts";
import * as servers from "./game-servers.ts";
import * as packs from "./packs.ts";
import { checkByHand } from "./port-conflicts.ts";
import { checkRedis } from "./redis.ts";
import { type Check, ofBoth, ofServer, ofSidecar } from "./run-checks.ts";
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
    run: ({ target }) => (target?.side === undefined ? [] : properties.checkPorts(target, target.side)),
  },
  ofBoth("server-name", [], servers.checkName),
  ofServer("server-running", [], target => {
    const pid = target.running?.pid === undefined ? "" : ` (process ${target.running.pid})`;
    return target.running === undefined ? [] : [ok(`the server is running${pid}`)];
  }),
  ofServer("server-program", [], reading.checkProgram),
  ofServer("server-reads", [], reading.checkReading),
  ofServer("world", ["server-reads"], server.checkWorld),
  ofServer("game-version", ["world"], server.checkGame),
  ofServer("pack", ["world"], target => packs.checkInstalled(target, target.behavior)),
  ofServer("pack-listed", ["pack"], target => packs.checkListed(target, target.behavior)),
  ofServer("resource-pack", ["world"], packs.checkResourcePack),
  ofServer("resource-pack-listed", ["resource-pack"], packs.checkResourceListed),
  ofServer("beta-apis", ["world"], server.checkLevel),
  ofServer("script-folder", ["server-reads"], script.checkFolder),
  ofServer("permissions", ["script-folder"], script.checkPermissions),
  ofServer("variables", ["script-folder"], script.checkVariables),
  ofServer("bridge-url", ["variables", "ports"], script.checkAddress),
  ofServer("allowed-uris", ["permissions", "bridge-url"], script.checkUris),
  ofServer("world-name", ["variables", "world"], script.checkWorldName),
  ofBoth("bridge-token", ["script-folder", "token-file"], script.checkToken),
  ofBoth("other-server", ["bridge-token"], servers.checkOthers),
  ofServer("properties-encoding", [], properties.checkEncoding),
  ofServer("content-log", [], properties.checkContentLog),
  ofServer("online-mode", [], properties.checkOnlineMode),
  ofServer("allow-list", [], properties.checkAllowList),
  ofBoth("allow-list-users", [], properties.checkListOfImage),
  ofServer("chat-restriction", [], properties.checkChat),
  ofServer("script-watchdog", [], properties.checkWatchdog),
  ofServer("texturepack-required", ["resource-pack"], properties.checkTexturePack),
  ofServer("network", [], properties.checkNetwork),
  ofServer("other-game", ["network"], joining.checkOtherGames),
  ofServer("game-ports", ["network", "ports"], joining.checkGamePorts),
  ofServer("game-answers", ["online-mode", "other-game", "game-ports"], joining.checkAnswers),
  ofSidecar("fixed-ports", [], sidecar.checkFixedPorts),
  { id: "disk-space", needs: [], of: "sidecar", run: sidecar.checkDisks },
  ofSidecar("notes", [], sidecar.checkNotes),
  ofSidecar("sign-in-files", [], signIn.checkSignInFiles),
  ofSidecar("redis", [], checkRedis),
  ofSidecar("sidecar-running", ["ports", "fixed-ports", "hosts"], running.checkListeners),
  ofSidecar("sidecar-clock", ["sidecar-running"], running.checkSidecarClock),
  ofSidecar("started-by-hand", ["sidecar-running"], checkByHand),
  ofSidecar("token-accepted", ["sidecar-running"], running.checkAccepted),
  ofSidecar("running-settings", ["token-accepted"], running.checkSettings),
  ofSidecar("webhooks", ["token-accepted"], checkWebhooks),
  ofSidecar("sign-in", ["sidecar-running"], signIn.checkSignIn),
  ofBoth("connected-world", ["token-accepted"], running.checkConnectedWorld),
  ofBoth("pack-connected", OF_CONNECTION, running.checkConnected),
];
