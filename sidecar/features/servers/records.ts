import type { Records } from "../../kernel/storage/records.ts";
import { collection, parseJson } from "../../kernel/storage/records.ts";
import { connection, type LastConnection } from "./rules/last-connection.ts";

/** The last connection of each game server, by its name in the storage: blank for the first one. */
export const CONNECTIONS = collection({ name: "game-servers", parse: parseJson(connection) });

/** A key may not be blank. */
export const connectionKey = (name: string): string => `server:${name}`;

/** The last connection of a game server. */
export interface ConnectionStore {
  last(): Promise<LastConnection | undefined>;
  setLast(server: LastConnection): Promise<void>;
}

export const createConnectionStore = (records: Records, name: string): ConnectionStore => ({
  last: () => records.get(CONNECTIONS, connectionKey(name)),
  setLast: server =>
    records.transact(transaction => transaction.put(CONNECTIONS, connectionKey(name), server)),
});
