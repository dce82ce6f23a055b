import { start } from "../ui/start.tsx";
import { FaultPage, SignInPage } from "./sign-in-page.tsx";

/** Why the sign-in cannot continue, where the service says so. */
const fault = document.querySelector<HTMLMetaElement>('meta[name="fault"]')?.content;

await start(props =>
  fault === undefined ? <SignInPage {...props} /> : <FaultPage {...props} fault={fault} />,
);
