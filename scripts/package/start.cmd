@echo off
rem Starts the sidecar with the configuration in this folder, which is created if it is missing.
rem To use another Node: set "NODE=C:\path\to\node.exe" before.
setlocal
cd /d "%~dp0"
if not exist main.js goto cut
if defined NODE goto found
set "NODE=node.exe"
where /q node.exe && goto found
set "NODE=%ProgramFiles%\nodejs\node.exe"
:found
for %%n in ("%NODE%") do if not exist "%%~n" if "%%~$PATH:n"=="" goto missing
rem If it does not start, Windows says why.
"%NODE%" --version >nul
if not %errorlevel%==0 goto broken
"%NODE%" main.js --config config.yml %*
set "ended=%errorlevel%"
rem A clean exit, or Ctrl+C before it was ready.
if %ended%==0 exit /b 0
if %ended%==-1073741510 exit /b %ended%
goto stay

:cut
echo main.js is missing in %CD%. Unpack the archive again, over this folder: settings and data stay. 1>&2
goto failed
:missing
echo Node is missing. Install Node 22.18 or later from https://nodejs.org and run this again. 1>&2
goto failed
:broken
echo "%NODE%" does not start, code %errorlevel%. It has to match this processor: %PROCESSOR_ARCHITECTURE%. 1>&2
:failed
set "ended=1"
:stay
rem After a double click the window would close before the messages can be read.
echo %cmdcmdline% | "%SystemRoot%\System32\find.exe" /i "/c" >nul && pause
exit /b %ended%
