import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "@jest/globals";
import express from "express";
import { addressKey, clientAddress } from "./client-address.ts";

// Own connections: its sockets are not connected.

/** The client address of a request from `from`, with this value of Express's `trust proxy`. */
function clientOf(setting: unknown, from: string | undefined, forwarded?: string): string | undefined {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: from });
  const req = new IncomingMessage(socket);
  if (forwarded !== undefined) req.headers["x-forwarded-for"] = forwarded;
  return clientAddress(req, express().set("trust proxy", setting).get("trust proxy fn"));
}

const [PROXY, OUTER, CLIENT, CLAIMED] = ["127.0.0.1", "10.0.0.1", "203.0.113.7", "198.51.100.9"];

describe("the client address of a request", () => {
  it("is the peer's, regardless of headers, if no proxy is trusted or the peer is not one of them", () => {
    expect(clientOf(false, PROXY, CLIENT)).toBe(PROXY);
    expect(clientOf("loopback", OUTER, CLIENT)).toBe(OUTER);
  });

  it("is the one that a trusted proxy sends, or the proxy's own if it sends none", () => {
    expect(clientOf("loopback", PROXY, CLIENT)).toBe(CLIENT);
    expect(clientOf("loopback", PROXY)).toBe(PROXY);
  });

  it("is the last address that is not a trusted proxy's: addresses that the client sends are ignored", () => {
    expect(clientOf("loopback", PROXY, `${CLAIMED}, ${CLIENT}`)).toBe(CLIENT);
    expect(clientOf(`loopback, ${OUTER}`, PROXY, `${CLAIMED}, ${CLIENT}, ${OUTER}`)).toBe(CLIENT);
    expect(clientOf("loopback", PROXY, `${CLIENT}, ${OUTER}`)).toBe(OUTER);
  });

  it("is the address before as many proxies as are trusted, or the first if all are", () => {
    expect(clientOf(1, PROXY, `${CLAIMED}, ${CLIENT}`)).toBe(CLIENT);
    expect(clientOf(2, PROXY, `${CLAIMED}, ${CLIENT}, ${OUTER}`)).toBe(CLIENT);
    expect(clientOf(true, PROXY, `${CLIENT}, ${OUTER}`)).toBe(CLIENT);
  });

  it("is undefined once the connection is closed, regardless of headers", () => {
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
])("limits are counted by IPv4 address, IPv6 network, and not by a long text: %s", (address, key) => {
  expect(addressKey(address)).toBe(key);
});
