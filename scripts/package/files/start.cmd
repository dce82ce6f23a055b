@echo off
rem Starts the sidecar with the configuration in this folder, which is made when it is missing.
rem Another Node than the usual one: set "NODE=C:\path\to\node.exe" before.
setlocal
cd /d "%~dp0"
if defined NODE goto found
set "NODE=node.exe"
where /q node.exe && goto found
set "NODE=%ProgramFiles%\nodejs\node.exe"
:found
"%NODE%" -e "process.exit(0)" >nul 2>&1
if errorlevel 1 goto missing
"%NODE%" -e "var v = process.versions.node.split('.'); process.exit(v[0] > 20 || (v[0] == 20 && v[1] >= 19) ? 0 : 1)"
if errorlevel 1 goto old
"%NODE%" main.js --config config.yml %*
set "ended=%errorlevel%"
rem Ended in order, or by Ctrl+C before it was ready.
if %ended%==0 exit /b 0
if %ended%==-1073741510 exit /b %ended%
goto stay

:missing
echo Node is missing. Install Node 20.19 or later from https://nodejs.org and run this again. 1>&2
goto failed
:old
echo Node 20.19 or later is needed, and this one is older. Get it from https://nodejs.org 1>&2
:failed
set "ended=1"
:stay
rem Whoever double-clicked this file would not see the lines otherwise.
echo %cmdcmdline% | "%SystemRoot%\System32\find.exe" /i "/c" >nul && pause
exit /b %ended%
