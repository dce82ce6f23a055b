// Modules that need the experiment "Beta APIs". The pack that keeps achievements imports nothing from here: see modules.ts.
export * as admin from "@minecraft/server-admin";
export * as net from "@minecraft/server-net";
