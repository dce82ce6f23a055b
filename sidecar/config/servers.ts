import { hidden, int, type Kind, orElse, text } from "./kind.ts";
import { BRIDGE_TOKEN, isBridgeToken } from "./net-kinds.ts";
import { type Item, listOf, objectOf } from "./objects.ts";
import { gameVersion, joinAddress, processName, serverTitle } from "./text-kinds.ts";

/** Most game servers beside the first one. */
const MAX_SERVERS = 31;

const NAME = /^[a-z0-9][a-z0-9-]{0,31}$/;

/** The name of a game server in addresses, events and logs. */
export const serverName = text("1 to 32 of a-z, 0-9 and -, not - first, such as lobby", value =>
  NAME.test(value),
);

/** Public information about a game server; blank or 0: not given. */
export const INFO = {
  title: serverTitle,
  address: joinAddress,
  version: gameVersion,
  maxPlayers: int(0, 2_147_483_647),
  port: int(0, 65_535),
};

const fields = {
  name: serverName,
  title: orElse(serverTitle, ""),
  token: orElse({ ...text(`text in quotes, of ${BRIDGE_TOKEN}`, isBridgeToken), display: hidden }, ""),
  process: orElse(processName, "auto"),
  info: orElse(
    objectOf({
      title: orElse(INFO.title, ""),
      address: orElse(INFO.address, ""),
      version: orElse(INFO.version, ""),
      maxPlayers: orElse(INFO.maxPlayers, 0),
      port: orElse(INFO.port, 0),
    }),
    { title: "", address: "", version: "", maxPlayers: 0, port: 0 },
  ),
};

export type FurtherServer = Item<typeof fields>;

/** Game servers beside the first one. Blank tokens are made at the first start. */
export const servers = listOf(fields, { max: MAX_SERVERS, unique: ["name", "token"] });

/** Names of game servers. */
export const serverNames: Kind<string[]> = {
  expected: "a list of at least one name of a game server, as server.name and servers have them",
  read: raw =>
    Array.isArray(raw) && raw.length > 0 && raw.every(each => "value" in serverName.read(each, ""))
      ? { value: raw }
      : { fault: "" },
};
