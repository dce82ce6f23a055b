import { describe, expect, it } from "@jest/globals";
import { joinLink, partsOf } from "./join-link.ts";

describe("the address that players join by", () => {
  it.each([
    ["play.example.com:19133", "play.example.com", "19133"],
    ["play.example.com", "play.example.com", "19132"],
    ["192.0.2.7:7", "192.0.2.7", "7"],
    ["[2001:db8::1]:19140", "[2001:db8::1]", "19140"],
    ["[2001:db8::1]", "[2001:db8::1]", "19132"],
  ])("is a host and a port, by default the game's: %s", (address, host, port) => {
    expect(partsOf(address)).toEqual({ host, port });
  });
});

describe("the link that adds the server in Minecraft", () => {
  it("has name, host and port", () => {
    expect(joinLink("Survival", "play.example.com")).toBe(
      "minecraft://?addExternalServer=Survival|play.example.com:19132",
    );
  });

  it.each([
    ["Oak & Stone?", "Oak%20%26%20Stone%3F"],
    ["a|b||c", "a%20b%20c"],
    [" a\u0000\n\u202e b\u200b ", "a%20b"],
    ["木と石 #1/%", "%E6%9C%A8%E3%81%A8%E7%9F%B3%20%231%2F%25"],
  ])("encodes the name %j as one readable part", (name, part) => {
    expect(joinLink(name, "h:1")).toBe(`minecraft://?addExternalServer=${part}|h:1`);
  });
});
