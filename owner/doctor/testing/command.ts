import { parseArgs } from "node:util";

/** The words of a command, as a shell would hand them over. */
const wordsOf = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");

/** The options of a printed setup command. */
export function readSetup(command: string) {
  const args = wordsOf(command);
  if (args.splice(0, 4).join(" ") !== "npm run setup --") throw new Error(`no setup: ${command}`);
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      server: { type: "string", default: "" },
      config: { type: "string", default: "config.yml" },
      "bridge-url": { type: "string" },
      "chest-form": { type: "boolean" },
      "keep-achievements": { type: "boolean" },
      "all-features": { type: "boolean" },
      "module-versions": { type: "string" },
      as: { type: "string" },
      undo: { type: "boolean", default: false },
    },
  });
  const { "bridge-url": bridgeUrl, "chest-form": chestForm, "module-versions": moduleVersions } = values;
  const { server, config, as, undo, "all-features": all } = values;
  const keepAchievements = all ? false : values["keep-achievements"];
  return { server, config, bridgeUrl, chestForm, moduleVersions, keepAchievements, as, undo };
}
