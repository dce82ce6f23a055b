import { describe, expect, it } from "@jest/globals";
import { isPublicAddress } from "./public-address.ts";

/** First and last address of each range that is not public. */
const REFUSED: [what: string, addresses: string][] = [
  ["this network", "0.0.0.0 0.255.255.255"],
  ["private", "10.0.0.0 10.255.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255"],
  ["carrier-grade NAT, and metadata of Alibaba", "100.64.0.0 100.127.255.255 100.100.100.200"],
  ["loopback", "127.0.0.0 127.0.0.1 127.255.255.255"],
  ["the host of machines at Azure", "168.63.129.16"],
  ["link-local, and metadata of clouds", "169.254.0.0 169.254.169.254 169.254.255.255"],
  ["protocol assignments", "192.0.0.0 192.0.0.192 192.0.0.255"],
  ["documentation", "192.0.2.0 192.0.2.255 198.51.100.0 198.51.100.255 203.0.113.0 203.0.113.255"],
  ["relays of 6to4", "192.88.99.0 192.88.99.255"],
  ["measurements", "198.18.0.0 198.19.255.255"],
  ["multicast", "224.0.0.0 239.255.255.255"],
  ["reserved, and broadcast", "240.0.0.0 255.255.255.255"],
  ["unspecified and loopback", ":: ::1"],
  ["IPv4 in old forms of IPv6", "::8.8.8.8 ::ffff:0:808:808"],
  ["IPv4-mapped", "::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:7f00:1 ::ffff:0:0"],
  ["NAT64 of a private address", "64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b::ffff:ffff"],
  ["NAT64 of a private network", "64:ff9b:1::808:808 64:ff9b:1:8:808::"],
  ["beside NAT64", "64:ff9b::1:808:808 64:ff9a::808:808 64:ff9c::808:808"],
  ["discard-only", "100:: 100::ffff:ffff:ffff:ffff"],
  ["Teredo and other protocols", "2001:: 2001:0:ffff::1 2001:2::1 2001:1ff:ffff::"],
  ["documentation", "2001:db8:: 2001:db8:ffff:ffff:: 3fff:: 3fff:fff:ffff::"],
  ["6to4", "2002:: 2002:7f00:1:: 2002:ffff:ffff::"],
  ["segment routing", "5f00::1"],
  ["unique local, and metadata of Amazon", "fc00:: fd00:ec2::254 fdff:ffff::"],
  ["link-local", "fe80::1 fe80::1%eth0 febf:ffff::"],
  ["site-local", "fec0::1 feff::1"],
  ["multicast", "ff00:: ff02::1 ffff::"],
  ["no address", " localhost 1.2.3 0x7f.1 1.2.3.4.5 2606:4700::%1"],
];
/** Addresses next to the ranges, and some well-known ones. */
const PUBLIC =
  "1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 168.63.129.15 169.253.255.255 " +
  "169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 " +
  "64:ff9b::808:808 64:ff9b::8.8.8.8 64:ff9b::b00:0 ::ffff:8.8.8.8 ::ffff:808:808 " +
  "223.255.255.255 162.159.128.233 2001:200:: 2001:4860:4860::8888 2001:db7:ffff:: 2001:db9:: 2003:: 2606:4700::1111 3ffe::";

describe("a public address", () => {
  it.each(REFUSED)("is none of %s: %s", (_what, addresses) => {
    for (const address of addresses.split(" "))
      expect([address, isPublicAddress(address)]).toEqual([address, false]);
  });

  it.each(PUBLIC.split(" "))("is %s", address => expect(isPublicAddress(address)).toBe(true));
});
