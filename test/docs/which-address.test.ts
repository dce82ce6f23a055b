import { describe, expect, it } from "@jest/globals";
import { SETTINGS } from "../../sidecar/config/settings.ts";
import { openAt } from "../../sidecar/features/console/open-at.ts";
import { configShown } from "./config-lines.ts";
import { linesUnder, text } from "./pages.ts";

// Blocks of docs/which-address.md: which-address-do-friends-type text, in-your-home-network sh
// Blocks of docs/which-address.md: in-your-home-network powershell, a-tunnel sh, a-rented-machine sh

const PAGE = "docs/which-address.md";
const { host, port } = SETTINGS.modules.api;

describe("the page about addresses", () => {
  it("shows the line that the sidecar logs at its start", () => {
    const eth0 = [{ address: "192.168.1.20", family: "IPv4" as const, internal: false }];
    const line = openAt({ address: `${host.default}`, port: Number(port.default) }, { eth0 }, false);
    expect(linesUnder(PAGE, "which-address-do-friends-type", "text")).toEqual([`INFO: ${line}`]);
    for (const [url = ""] of line.matchAll(/http\S+/g)) expect(text(PAGE)).toContain(`| \`${url}\``);
  });

  it("opens the port of the sidecar at home, and only those of a proxy on a rented machine", () => {
    expect(linesUnder(PAGE, "in-your-home-network", "sh")).toEqual([
      `sudo ufw allow from 192.168.0.0/16 to any port ${port.default} proto tcp`,
    ]);
    const [rule] = linesUnder(PAGE, "in-your-home-network", "powershell");
    expect(rule).toMatch(/^New-NetFirewallRule .* -Direction Inbound -Action Allow -Protocol TCP /);
    expect(rule).toMatch(new RegExp(` -LocalPort ${port.default} -Profile Private$`));
    expect(linesUnder(PAGE, "a-rented-machine", "sh")).toEqual([
      "sudo ufw allow 80/tcp",
      "sudo ufw allow 443/tcp",
    ]);
  });

  it("lets only a tunnel on the machine reach the sidecar, and trusts its headers", () => {
    expect(configShown(PAGE, "a-tunnel")).toMatchObject({
      modules: { api: { host: "127.0.0.1", trustProxy: ["loopback"] } },
    });
  });
});
