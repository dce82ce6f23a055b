// Sends as much as the loopback takes on so many connections, from an address of its own, until it is ended.
// arguments: port, connections, what to send over and over
import { connect } from "node:net";

const [port, connections, text = ""] = process.argv.slice(2);
const bytes = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)), "latin1");

function send() {
  const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress: "127.0.0.2" });
  const more = () => {
    while (socket.write(bytes));
  };
  socket.once("connect", () => console.log("connected"));
  socket.once("connect", () => console.log("connected"));
  socket.on("connect", more);
  socket.on("drain", more);
  socket.on("error", () => undefined);
  socket.on("close", send);
  socket.resume();
}

for (let i = 0; i < Number(connections); i++) send();
