import { parseArgs } from "node:util";

export interface Setup {
  server: string;
  config: string;
  bridgeUrl: string | undefined;
  chestForm: boolean | undefined;
  moduleVersions: string | undefined;
  as: string | undefined;
  undo: boolean;
}

/** The options of a printed set-up command, as a shell would hand them over. */
export function readSetup(command: string): Setup {
  const args = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  if (args.splice(0, 4).join(" ") !== "npm run setup --") throw new Error(`no set-up: ${command}`);
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      server: { type: "string" },
      config: { type: "string", default: "config.yml" },
      "bridge-url": { type: "string" },
      "chest-form": { type: "boolean" },
      "module-versions": { type: "string" },
      as: { type: "string" },
      undo: { type: "boolean", default: false },
    },
  });
  const { server = "", config, "bridge-url": bridgeUrl, "chest-form": chestForm } = values;
  return {
    server,
    config,
    bridgeUrl,
    chestForm,
    moduleVersions: values["module-versions"],
    as: values.as,
    undo: values.undo,
  };
}
