@echo off
rem Starts the sidecar; with --server "<folder>" also the game server in that folder. Its configuration is config.yml
rem in this folder, which is created if it is missing. To use another Node: set "NODE=C:\path\to\node.exe" before.
"%~dp0web-bridge.cmd" start %*
