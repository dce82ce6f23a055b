import { start } from "../start.tsx";
import { SignInPage } from "./app.tsx";

await start(shown => <SignInPage {...shown} />);
