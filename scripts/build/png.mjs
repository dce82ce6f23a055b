import { crc32, deflateSync } from "node:zlib";

/**
 * A drawing of squares: colours by row, `#rrggbb`, or "" for nothing.
 * @typedef {string[][]} Squares
 */

/** @param {string} type @param {Uint8Array} data */
function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** @param {string} colour */
const bytesOf = colour => Buffer.from(colour === "" ? "000000" : colour.slice(1), "hex");

/**
 * The drawing as a PNG whose squares are so many pixels wide and high. It has a table of its colours, 256 at most.
 * @param {Squares} squares
 * @param {number} size
 */
export function png(squares, size) {
  const colours = [...new Set(squares.flat())];
  const width = (squares[0]?.length ?? 0) * size;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(squares.length * size, 4);
  // Eight bits for each pixel, which name a colour of the table.
  header.set([8, 3], 8);
  const rows = squares.flatMap(row => {
    // The byte in front says that the row is as it is.
    const bytes = Buffer.from([0, ...row.flatMap(colour => Array(size).fill(colours.indexOf(colour)))]);
    return Array(size).fill(bytes);
  });
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.concat(colours.map(bytesOf))),
    chunk("tRNS", Buffer.from(colours.map(colour => (colour === "" ? 0 : 255)))),
    chunk("IDAT", deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/**
 * The file that browsers ask for by themselves, with one picture in it.
 * @param {Uint8Array} picture a PNG
 * @param {number} size of it in pixels, under 256
 */
export function ico(picture, size) {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.set([size, size], 6);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(picture.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, picture]);
}
