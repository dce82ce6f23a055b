import { App } from "./app.tsx";
import { beginSession } from "./session.ts";
import { start } from "./start.tsx";

const session = beginSession();
await start(shown => <App {...shown} session={session} />);
