import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "@jest/globals";
import express from "express";
import { addressKey, clientAddress } from "./client-address.ts";

// Own connections: its sockets are connected to nothing.

/** Whose a request is that comes from `from`, where `trust proxy` of Express is set so. */
function clientOf(setting: unknown, from: string | undefined, forwarded?: string): string | undefined {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: from });
  const req = new IncomingMessage(socket);
  if (forwarded !== undefined) req.headers["x-forwarded-for"] = forwarded;
  return clientAddress(req, express().set("trust proxy", setting).get("trust proxy fn"));
}

const [PROXY, OUTER, CLIENT, CLAIMED] = ["127.0.0.1", "10.0.0.1", "203.0.113.7", "198.51.100.9"];

describe("the client of a request", () => {
  it("is who connects, whatever they say, where no proxy is believed or they are none of those", () => {
    expect(clientOf(false, PROXY, CLIENT)).toBe(PROXY);
    expect(clientOf("loopback", OUTER, CLIENT)).toBe(OUTER);
  });

  it("is the one for whom a believed proxy asks, or the proxy itself where it says nothing", () => {
    expect(clientOf("loopback", PROXY, CLIENT)).toBe(CLIENT);
    expect(clientOf("loopback", PROXY)).toBe(PROXY);
  });

  it("is the last one who is no believed proxy: what such a client claims of others counts for nothing", () => {
    expect(clientOf("loopback", PROXY, `${CLAIMED}, ${CLIENT}`)).toBe(CLIENT);
    expect(clientOf(`loopback, ${OUTER}`, PROXY, `${CLAIMED}, ${CLIENT}, ${OUTER}`)).toBe(CLIENT);
    expect(clientOf("loopback", PROXY, `${CLIENT}, ${OUTER}`)).toBe(OUTER);
  });

  it("is so many proxies away as are believed, or the farthest where all are", () => {
    expect(clientOf(1, PROXY, `${CLAIMED}, ${CLIENT}`)).toBe(CLIENT);
    expect(clientOf(2, PROXY, `${CLAIMED}, ${CLIENT}, ${OUTER}`)).toBe(CLIENT);
    expect(clientOf(true, PROXY, `${CLIENT}, ${OUTER}`)).toBe(CLIENT);
  });

  it("is nobody once the connection is gone, whatever was said for it", () => {
    expect(clientOf(true, undefined, CLIENT)).toBeUndefined();
  });
});

it.each([
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8::1", addressKey("2001:db8::2")],
  ["x".repeat(14_000), "unknown"],
  ["§4x\x9b31m", "unknown"],
  ["192.0.2.1:4711", "192.0.2.1"],
  ["[2001:db8::1]:4711", addressKey("2001:db8::1")],
])("limits are counted by an IPv4 address, a network of IPv6, and no long text: %s", (address, key) => {
  expect(addressKey(address)).toBe(key);
});
