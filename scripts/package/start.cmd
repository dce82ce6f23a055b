@echo off
rem Starts the sidecar with the configuration in this folder, which is made when it is missing.
rem Another Node than the usual one: set "NODE=C:\path\to\node.exe" before.
setlocal
cd /d "%~dp0"
if not exist main.js goto cut
if defined NODE goto found
set "NODE=node.exe"
where /q node.exe && goto found
set "NODE=%ProgramFiles%\nodejs\node.exe"
:found
for %%n in ("%NODE%") do if not exist "%%~n" if "%%~$PATH:n"=="" goto missing
rem Why it does not start is said by Windows.
"%NODE%" --version >nul
if not %errorlevel%==0 goto broken
"%NODE%" main.js --config config.yml %*
set "ended=%errorlevel%"
rem Ended in order, or by Ctrl+C before it was ready.
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
echo "%NODE%" does not start, code %errorlevel%. It has to be made for this processor: %PROCESSOR_ARCHITECTURE%. 1>&2
:failed
set "ended=1"
:stay
rem Whoever double-clicked this file would not see the lines otherwise.
echo %cmdcmdline% | "%SystemRoot%\System32\find.exe" /i "/c" >nul && pause
exit /b %ended%
