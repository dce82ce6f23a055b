import type { ServerInfo } from "../../../client/types.ts";
import { prepareJson, sendPrepared } from "../prepared.ts";
import type { PublicDeps, Route } from "./deps.ts";

/** `GET /server`: what the configuration says of the game server, made once. */
export function serverRoute({ api, info }: PublicDeps): Route<"server"> {
  const told: ServerInfo = {
    title: info.title || null,
    address: info.address || null,
    version: info.version || null,
    maxPlayers: info.maxPlayers || null,
  };
  const answer = prepareJson(told, api.metricsRefreshInterval);
  return (req, res) => sendPrepared(answer, req, res);
}
