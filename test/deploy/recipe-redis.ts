import { type RedisServer, startRedisServer } from "../../lab/scale/redis-server.ts";
import { recipe } from "./front.ts";

export const PASSWORD = "password-of-the-recipe-0123456789";
const ADMIN = "password-of-an-owner-0123456789";

/** Settings of the recipe for Redis, by name. */
export const recipeSettings = (): Record<string, string> =>
  Object.fromEntries(
    recipe("redis/redis.conf")
      .split("\n")
      .filter(line => line !== "" && !line.startsWith("#"))
      .map(line => [line.split(" ")[0] ?? "", line.slice(line.indexOf(" ") + 1)]),
  );

/** The users of the recipe, with a password. */
export const recipeUsers = (): string[] =>
  recipe("redis/users.acl").trim().replace(">PASSWORD", `>${PASSWORD}`).split("\n");

/** A Redis with the settings and users of the recipe, and an owner with all rights. */
export async function startRecipeRedis(
  more: Record<string, string> = {},
  tls?: { cert: string; key: string },
): Promise<{
  server: RedisServer;
  /** for the sidecar */
  url: string;
  /** for its owner */
  adminUrl: string;
}> {
  const { aclfile: _path, ...settings } = recipeSettings();
  const server = await startRedisServer({
    settings: { ...settings, ...more },
    ...(tls && { tls }),
    acl: [...recipeUsers(), `user owner on >${ADMIN} ~* &* +@all`],
  });
  const at = (user: string, password: string): string =>
    `${tls ? "rediss" : "redis"}://${user}:${password}@127.0.0.1:${server.port}`;
  return { server, url: at("web-bridge", PASSWORD), adminUrl: at("owner", ADMIN) };
}
