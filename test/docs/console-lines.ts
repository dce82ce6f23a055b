import { readdirSync, readFileSync } from "node:fs";
import { parse } from "acorn";
import { transformSync } from "esbuild";
import { isOfTests } from "../helpers/test-files.ts";

const pack = new URL("../../behavior_pack/", import.meta.url);

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/** Every console line in the sources of the pack, with `…` for variable parts, without the prefix. */
export function consoleLines(): string[] {
  const lines = readdirSync(pack, { recursive: true, encoding: "utf8" })
    .filter(name => /(?<!\.d)\.ts$/.test(name) && !isOfTests(`behavior_pack/${name}`))
    .flatMap(name => linesOf(parse(scriptOf(name), { ecmaVersion: "latest", sourceType: "module" })));
  return [...new Set(lines)].filter(line => line !== "…");
}

/** A source of the pack without its types. */
const scriptOf = (name: string): string =>
  transformSync(readFileSync(new URL(name, pack), "utf8"), { loader: "ts", target: "esnext" }).code;

function linesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(linesOf);
  if (!isNode(value)) return [];
  const below = Object.values(value).flatMap(linesOf);
  const own = lineOf(value);
  return own === undefined ? below : [own, ...below];
}

function lineOf(node: Node): string | undefined {
  if (node.type === "CallExpression" && isNode(node.callee) && Array.isArray(node.arguments)) {
    const { callee } = node;
    const name = isNode(callee.property) ? callee.property.name : callee.name;
    if (name === "once") return words(node.arguments[1]);
    if (name === "say") return words(node.arguments[0]);
  }
  if (node.type === "Property" && isNode(node.key) && node.key.name === "fault") return words(node.value);
  return undefined;
}

function words(node: unknown): string {
  if (!isNode(node)) return "…";
  switch (node.type) {
    case "Literal":
      return String(node.value);
    case "TemplateLiteral":
      return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join("…");
    case "BinaryExpression":
      return words(node.left) + words(node.right);
    default:
      return "…";
  }
}
