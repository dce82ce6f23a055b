import { join } from "node:path";
import { type Certificate, findProgram, recipe, replaced, runNginx } from "./front.ts";

export const nginx = findProgram(["nginx", "/usr/sbin/nginx"], "-v");

/** What a proxy of several sidecars stands between. */
export interface Place {
  folder: string;
  certificate: Certificate;
  /** addresses of the sidecars' listeners, as the recipe has them in this order */
  sidecars: { base: string; bridge: string }[];
  /** where the proxy is to listen for browsers and for the pack */
  port: number;
  packPort: number;
}

/** Writes what a proxy is to run and returns the command. */
export type Recipe = (place: Place) => string[];

const hostOf = (url: string): string => new URL(url).host;

/** The recipe with the addresses of three sidecars. */
export const withSidecars = (text: string, { sidecars }: Place): string =>
  replaced(
    text,
    sidecars.flatMap(({ base, bridge }, i) => [
      [`127.0.0.1:810${i + 1}`, hostOf(base)] as [string, string],
      [`127.0.0.1:820${i + 1}`, hostOf(bridge)] as [string, string],
    ]),
  );

/** The recipes for nginx, that for several sidecars beside that for one. */
export const nginxRecipe: Recipe = place => {
  const { folder, certificate, port, packPort } = place;
  const [before = "", own = ""] = recipe("nginx/web-bridge.conf").split(/upstream web_bridge \{[^}]*\}/);
  const single = replaced(before + own, [
    ["    listen 80;\n    listen [::]:80;", `    listen unix:${join(folder, "plain.sock")};`],
    ["    listen 443 ssl;\n    listen [::]:443 ssl;", `    listen 127.0.0.1:${port} ssl;`],
    ["/etc/letsencrypt/live/bridge.example.com/fullchain.pem", certificate.cert],
    ["/etc/letsencrypt/live/bridge.example.com/privkey.pem", certificate.key],
  ]);
  const several = replaced(withSidecars(recipe("nginx/web-bridge-scale.conf"), place), [
    ["listen 127.0.0.1:8081;", `listen 127.0.0.1:${packPort};`],
  ]);
  return runNginx(nginx, folder, `${single}\n${several}`);
};
