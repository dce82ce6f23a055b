import { App } from "./app.tsx";
import { beginSession } from "./service/session.ts";
import { start } from "./ui/start.tsx";

const session = beginSession();
await start(props => <App {...props} session={session} />);
