import { start } from "../ui/start.tsx";
import { FaultPage, SignInPage } from "./sign-in-page.tsx";

/** Why the sign-in cannot go on, where the service says so. */
const fault = document.querySelector<HTMLMetaElement>('meta[name="fault"]')?.content;

await start(shown =>
  fault === undefined ? <SignInPage {...shown} /> : <FaultPage {...shown} fault={fault} />,
);
