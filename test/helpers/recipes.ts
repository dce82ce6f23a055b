import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const DEPLOY = fileURLToPath(new URL("../../deploy/", import.meta.url));
/** The host name in every recipe. */
export const HOST = "bridge.example.com";

export const recipe = (path: string): string => readFileSync(join(DEPLOY, path), "utf8");

/** The first of these programs that is installed, if any. */
export const programOf = (names: readonly string[], ...args: string[]): string | undefined =>
  names.find(name => spawnSync(name, args, { stdio: "ignore" }).status === 0);

export const NGINX = ["nginx", "/usr/sbin/nginx"];

export interface Certificate {
  cert: string;
  key: string;
}

/** Paths of a new certificate for the host name in the recipes. */
export function makeCertificate(folder: string, of = `DNS:${HOST}`): Certificate {
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const name = ["-subj", `/CN=${HOST}`, "-addext", `subjectAltName=${of}`];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const args = ["req", "-x509", ...curve, "-days", "2", ...name, "-keyout", key, "-out", cert];
  execFileSync("openssl", args, { stdio: "ignore" });
  return { cert, key };
}

/** A text with these replacements; each of them has to occur. */
export function replaced(text: string, replacements: [string, string][]): string {
  return replacements.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`the recipe has no ${from}`);
    return result.replaceAll(from, to);
  }, text);
}

/** Writes the configuration of nginx and returns its command; it writes nothing outside of the folder. */
export function runNginx(program: string | undefined, folder: string, server: string): string[] {
  writeFileSync(join(folder, "server.conf"), server);
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const own = kinds.map(kind => `${kind}_temp_path ${join(folder, kind)};`).join("\n");
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off;\nmaster_process off;\npid ${join(folder, "nginx.pid")};\nerror_log stderr;\nevents {}\n` +
      `http {\naccess_log off;\n${own}\ninclude ${join(folder, "server.conf")};\n}\n`,
  );
  return [program ?? "", "-e", "stderr", "-p", folder, "-c", join(folder, "nginx.conf")];
}

/** What a proxy forwards to, and where. */
export interface Place {
  folder: string;
  certificate: Certificate;
  /** host and port */
  sidecar: string;
  port: number;
}

/** Writes the configuration of a proxy and returns its command. */
export type Recipe = (program: string | undefined, place: Place) => string[];

/** The recipe for nginx, with the certificate and the port of a test. */
export const nginxSite = (text: string, { folder, certificate, port }: Omit<Place, "sidecar">): string =>
  replaced(text, [
    ["    listen 80;\n    listen [::]:80;", `    listen unix:${join(folder, "plain.sock")};`],
    ["    listen 443 ssl;\n    listen [::]:443 ssl;", `    listen 127.0.0.1:${port} ssl;`],
    ["/etc/letsencrypt/live/bridge.example.com/fullchain.pem", certificate.cert],
    ["/etc/letsencrypt/live/bridge.example.com/privkey.pem", certificate.key],
  ]);

export const nginxRecipe: Recipe = (program, place) => {
  const site = nginxSite(recipe("nginx/web-bridge.conf"), place);
  return runNginx(program, place.folder, replaced(site, [["127.0.0.1:8080", place.sidecar]]));
};

export const apacheRecipe: Recipe = (program, { folder, certificate, sidecar, port }) => {
  const site = replaced(recipe("apache/web-bridge.conf"), [
    ["<VirtualHost *:443>", `<VirtualHost 127.0.0.1:${port}>`],
    ["/etc/letsencrypt/live/bridge.example.com/fullchain.pem", certificate.cert],
    ["/etc/letsencrypt/live/bridge.example.com/privkey.pem", certificate.key],
    ["127.0.0.1:8080", sidecar],
  ]);
  const modules = ["authz_core", "headers", "mpm_event", "proxy", "proxy_http", "ssl"].map(
    name => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
  );
  const own = [`ServerRoot ${folder}`, `ServerName ${HOST}`, `PidFile ${folder}/apache.pid`, "User www-data"];
  const head = [
    ...modules,
    ...own,
    `DefaultRuntimeDir ${folder}`,
    `ErrorLog ${folder}/apache.log`,
    `Listen 127.0.0.1:${port}`,
  ];
  writeFileSync(join(folder, "apache.conf"), `${head.join("\n")}\n${site}`);
  return [program ?? "", "-f", join(folder, "apache.conf"), "-DFOREGROUND"];
};

export const haproxyRecipe: Recipe = (program, { folder, certificate, sidecar, port }) => {
  const both = join(folder, "both.pem");
  writeFileSync(both, readFileSync(certificate.cert, "utf8") + readFileSync(certificate.key, "utf8"));
  const config = replaced(recipe("haproxy/web-bridge.cfg"), [
    ["bind :443 ssl crt /etc/haproxy/bridge.example.com.pem", `bind 127.0.0.1:${port} ssl crt ${both}`],
    ["127.0.0.1:8080", sidecar],
  ]);
  writeFileSync(join(folder, "haproxy.cfg"), config);
  return [program ?? "", "-db", "-f", join(folder, "haproxy.cfg")];
};

export const caddyRecipe: Recipe = (program, place) => caddyWith("caddy/Caddyfile", program, place);

/** A recipe for Caddy with the certificate and the port of a test, and with further replacements. */
export function caddyWith(
  path: string,
  program: string | undefined,
  { folder, certificate, sidecar, port }: Place,
  more: [string, string][] = [],
): string[] {
  const site = replaced(recipe(path), [
    [
      `${HOST} {`,
      `https://${HOST}:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate.cert} ${certificate.key}`,
    ],
    [" 127.0.0.1:8080", ` ${sidecar}`],
    ...more,
  ]);
  return runCaddy(program, folder, site);
}

/** Writes the configuration of Caddy and returns its command. */
export function runCaddy(program: string | undefined, folder: string, sites: string): string[] {
  writeFileSync(join(folder, "Caddyfile"), `{\n\tadmin off\n\tauto_https off\n}\n${sites}`);
  return [program ?? "", "run", "--config", join(folder, "Caddyfile"), "--adapter", "caddyfile"];
}
