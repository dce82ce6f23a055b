import { PLAYERS } from "../../bds/console-lines.ts";
import { FIRST, kinds, madeUp, only, SECOND, withPlayers } from "./players-of.ts";
import {
  ask,
  askRecord,
  broken,
  failureIn,
  held,
  judge,
  listOf,
  notedWhile,
  numberOf,
  patternOf,
  probesOf,
  recordOf,
  textOf,
} from "./say.ts";

const SERVER = "@minecraft/server";
const row = (cell: string): string => `${SERVER} / ${cell}`;
const JOINS = row("`playerJoin`, `playerSpawn`, `playerLeave`");
const MEMBERS = row(
  "`Player.name`, `id`, `persistentId`, `typeId`, `nameTag` (read), `location`, `chat*`, `getPing`",
);
const DIES = row("`entityDie`");
const HEALTH = row('`getComponent("minecraft:health")`');

export const playerProbes = probesOf("probes", [
  {
    id: "players-offered",
    kind: "inference",
    assumes: "the game offers players of its own for tests",
    how: "spawnSimulatedPlayer of @minecraft/server-gametest is looked for",
    rows: [madeUp("`spawnSimulatedPlayer`")],
    async ask(trial) {
      const isSo = (await ask(trial, "player-offered")) === true;
      return judge(isSo, isSo ? "it does" : "it does not: what needs them is left out");
    },
  },
  {
    id: "player-join",
    kind: "inference",
    assumes: "a player who comes is told of by playerJoin, and then once by playerSpawn with initialSpawn",
    how: "a simulated player comes",
    rows: [JOINS, madeUp("events")],
    ask: trial =>
      withPlayers(trial, [], async () => {
        const noted = only(
          await notedWhile(trial, () => ask(trial, "player-come", { name: FIRST })),
          "join",
          "spawn",
        );
        const isSo = kinds(noted) === "join, spawn" && noted[1]?.initial === true;
        return judge(isSo, kinds(noted));
      }),
  },
  {
    id: "player-listed",
    kind: "inference",
    assumes: "a player is in the list of all players from playerJoin on",
    how: "the list is read in playerJoin of a simulated player",
    rows: [row("`world.getAllPlayers`, `getPlayers`")],
    ask: trial =>
      withPlayers(trial, [], async () => {
        const [join] = only(
          await notedWhile(trial, () => ask(trial, "player-come", { name: FIRST })),
          "join",
        );
        if (join === undefined) return broken("playerJoin did not come");
        return judge(join.listed === true, join.listed === true ? "it is in it" : "it is not in it yet");
      }),
  },
  {
    id: "player-leave",
    kind: "inference",
    assumes: "a player who leaves is told of before and after, and is in the list no more by then",
    how: "a simulated player is disconnected",
    rows: [JOINS, madeUp("events")],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        const noted = only(
          await notedWhile(trial, () => ask(trial, "player-go", { name: FIRST })),
          "before-leave",
          "leave",
        );
        const isSo = kinds(noted) === "before-leave, leave" && noted[1]?.listed === false;
        return judge(
          isSo,
          `${kinds(noted)}${noted.some(({ listed }) => listed === true) ? ", and still in the list" : ""}`,
        );
      }),
  },
  {
    id: "player-gone",
    kind: "inference",
    assumes:
      "what is left of a player who has gone is invalid, has its id, and throws InvalidEntityError for its name",
    how: "the object of a simulated player who was disconnected is read",
    rows: [row("invalid players")],
    ask: trial =>
      withPlayers(trial, [FIRST], async came => {
        const gone = await askRecord(trial, "player-go", { name: FIRST });
        const { isValid, id } = recordOf(gone.after);
        const why = failureIn(gone.failure);
        const isSo = isValid === false && id === came?.id && why === "InvalidEntityError";
        return judge(
          isSo,
          `isValid ${String(isValid)}, id ${id === came?.id ? "as it was" : "another"}, name: ${why || "can be read"}`,
        );
      }),
  },
  {
    id: "player-persistent-id",
    kind: "inference",
    assumes: "persistentId is a text of 16 hexadecimal digits",
    how: "it is read of a simulated player",
    rows: [MEMBERS],
    ask: trial =>
      withPlayers(trial, [FIRST], async came => {
        const id = textOf(came?.persistentId);
        if (/^[\da-f]{16}$/i.test(id))
          return held(
            `16 digits, in ${id === id.toLowerCase() ? "lower" : id === id.toUpperCase() ? "upper" : "both"} case`,
          );
        return broken(id === "" ? "there is none" : id.includes(": ") ? id : `${id.length} other letters`);
      }),
  },
  {
    id: "player-persistent-id-again",
    kind: "promise",
    assumes: "a player who comes back has the same persistentId",
    how: "a simulated player comes, goes and comes again under one name",
    rows: [MEMBERS, madeUp("`persistentId` of one")],
    ask: trial =>
      withPlayers(trial, [FIRST], async came => {
        await ask(trial, "player-go", { name: FIRST });
        const again = await askRecord(trial, "player-come", { name: FIRST });
        const [one, other] = [textOf(came?.persistentId), textOf(again.persistentId)];
        if (one === "" || other === "") return broken("there is none");
        return judge(one === other, one === other ? "the same" : "another one");
      }),
  },
  {
    id: "player-persistent-id-own",
    kind: "promise",
    assumes: "two players have different persistentIds",
    how: "two simulated players are there at once",
    rows: [MEMBERS],
    ask: trial =>
      withPlayers(trial, [FIRST, SECOND], async (one, other) => {
        const isSo = one?.persistentId !== other?.persistentId;
        return judge(isSo, isSo ? "different ones" : "the same one");
      }),
  },
  {
    id: "player-pfid",
    kind: "inference",
    assumes: "the persistentId of a player is the pfid that the console tells",
    how: "the line of the console for a simulated player is compared, without case",
    rows: [MEMBERS, "A server's folder / players"],
    ask: trial =>
      withPlayers(trial, [], async () => {
        const since = trial.console.lines.length;
        const came = await askRecord(trial, "player-come", { name: FIRST });
        const line = await trial.console.line(/pfid: \S+/, 3_000, since);
        const told = /pfid: ([^,\s]+)/.exec(line ?? "")?.[1];
        if (told === undefined) return broken("the console tells none");
        const isSo = told.toLowerCase() === textOf(came.persistentId).toLowerCase();
        return judge(isSo, isSo ? "it is" : "the console tells another");
      }),
  },
  {
    id: "player-lines",
    kind: "promise",
    assumes: "the console tells in known lines of players who come, are there and go",
    how: "the lines for a simulated player are compared with the four that are known",
    rows: ["A server's folder / players"],
    ask: trial =>
      withPlayers(trial, [], async () => {
        const since = trial.console.lines.length;
        await ask(trial, "player-come", { name: FIRST });
        await ask(trial, "player-go", { name: FIRST });
        const last = PLAYERS.at(-1) ?? "";
        await trial.console.line(patternOf(last), 3_000, since);
        const said = trial.console.lines.slice(since);
        const missing = PLAYERS.filter(line => !said.some(each => patternOf(line).test(each)));
        return judge(
          missing.length === 0,
          missing.length === 0
            ? "all four"
            : `not found: ${missing.map(line => line.split(":")[0]).join(", ")}`,
        );
      }),
  },
  {
    id: "player-name",
    kind: "promise",
    assumes: "a player's name may have blanks, and one is found by it",
    how: "a simulated player whose name has a blank is looked for by it",
    rows: [row("`world.getAllPlayers`, `getPlayers`"), MEMBERS],
    ask: trial =>
      withPlayers(trial, [SECOND], async came => {
        const found = listOf((await askRecord(trial, "player-named", { name: SECOND })).value);
        const isSo = came?.name === SECOND && found.length === 1;
        return judge(
          isSo,
          `named ${came?.name === SECOND ? "as asked for" : "otherwise"}, ${found.length} found`,
        );
      }),
  },
  {
    id: "player-health",
    kind: "promise",
    assumes: "a player has a health of 20 of 20",
    how: "it is read of a simulated player",
    rows: [HEALTH],
    ask: trial =>
      withPlayers(trial, [FIRST], async came =>
        judge(came?.health === 20 && came.most === 20, `${String(came?.health)} of ${String(came?.most)}`),
      ),
  },
  {
    id: "player-locale",
    kind: "promise",
    assumes: "a player has a language such as en_US",
    how: "it is read of a simulated player",
    rows: [row("`Player.clientSystemInfo`")],
    ask: trial =>
      withPlayers(trial, [FIRST], async came =>
        judge(/^[a-z]{2}_[A-Z]{2}$/.test(textOf(came?.locale)), textOf(came?.locale) || "none"),
      ),
  },
  {
    id: "player-die",
    kind: "promise",
    assumes: "a death is told of by entityDie",
    how: "a simulated player is killed by the script",
    rows: [DIES, madeUp("events")],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        const [die] = only(await notedWhile(trial, () => ask(trial, "player-kill", { name: FIRST })), "die");
        return die === undefined ? broken("entityDie did not come") : held(`cause ${textOf(die.cause)}`);
      }),
  },
  {
    id: "player-dead-health",
    kind: "inference",
    assumes: "the health of a dead player is 0",
    how: "it is read in entityDie, and half a second later",
    rows: [HEALTH],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        const [die] = only(await notedWhile(trial, () => ask(trial, "player-kill", { name: FIRST })), "die");
        const { health } = await askRecord(trial, "player-read", { name: FIRST });
        return judge(
          die?.health === 0 && health === 0,
          `${String(die?.health ?? "not told")}, then ${String(health)}`,
        );
      }),
  },
  {
    id: "player-killed",
    kind: "promise",
    assumes: "damagingEntity of a death is the player who struck",
    how: "a simulated player strikes another who is all but dead",
    rows: [DIES],
    ask: trial =>
      withPlayers(trial, [FIRST, SECOND], async () => {
        const noted = await notedWhile(trial, () =>
          ask(trial, "player-strike", { name: FIRST, by: SECOND }, 60_000),
        );
        const [die] = only(noted, "die");
        if (die === undefined) return broken("nobody died");
        return judge(
          die.by === SECOND,
          die.by === SECOND ? "it is" : die.by === "" ? "nobody is named" : "another is named",
        );
      }),
  },
  {
    id: "player-order",
    kind: "inference",
    assumes: "in one tick the change of health comes before the death",
    how: "the events of a simulated player who is killed",
    rows: ["A tick / after-events"],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        if (listOf((await askRecord(trial, "load")).unheard).includes("entityHealthChanged"))
          return broken("the game does not tell of changes of health");
        const noted = only(
          await notedWhile(trial, () => ask(trial, "player-kill", { name: FIRST })),
          "health",
          "die",
        );
        return judge(kinds(noted).startsWith("health, die"), kinds(noted));
      }),
  },
  {
    id: "player-respawn",
    kind: "promise",
    assumes:
      "a player who comes back to life is told of by playerSpawn without initialSpawn, and playerJoin does not come again",
    how: "a simulated player is killed and respawns",
    rows: [JOINS],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        await ask(trial, "player-kill", { name: FIRST });
        await ask(trial, "wait-ticks", { ticks: 20 });
        const noted = only(
          await notedWhile(trial, () => ask(trial, "player-respawn", { name: FIRST })),
          "join",
          "spawn",
        );
        const isSo = kinds(noted) === "spawn" && noted[0]?.initial === false;
        return judge(isSo, `${kinds(noted)}${noted[0]?.initial === true ? " with initialSpawn" : ""}`);
      }),
  },
  {
    id: "player-counted",
    kind: "inference",
    assumes: "list counts simulated players",
    how: "list is typed while one is there",
    rows: [madeUp("what others get of it")],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        const since = trial.console.lines.length;
        trial.console.type("list");
        const line = await trial.console.line(/^There are \d+\/\d+ players online:/, 5_000, since);
        const count = numberOf(Number(/are (\d+)\//.exec(line ?? "")?.[1]));
        return judge(count === 1, line === undefined ? "it answers nothing" : `${count} counted`);
      }),
  },
]);
