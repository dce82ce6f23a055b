@echo off
rem Runs a command of the web bridge, such as: .\web-bridge.cmd setup --server "<folder>". Without a command it lists them.
rem It uses the Node in this folder, if there is one that starts, or else the system's.
rem To use another: set "NODE=C:\path\to\node.exe" before.
setlocal
if not exist "%~dp0main.js" goto cut
if defined NODE goto found
set "NODE=%~dp0node\node.exe"
if not exist "%NODE%" goto system
"%NODE%" --version >nul 2>nul
if %errorlevel%==0 goto run
echo "%NODE%" does not start, code %errorlevel%. Looking for another Node. 1>&2
:system
set "NODE=node.exe"
where /q node.exe && goto found
set "NODE=%ProgramFiles%\nodejs\node.exe"
:found
for %%n in ("%NODE%") do if not exist "%%~n" if "%%~$PATH:n"=="" goto missing
rem If it does not start, Windows says why.
"%NODE%" --version >nul
if not %errorlevel%==0 goto broken
:run
"%NODE%" "%~dp0dist\web-bridge.js" %*
set "ended=%errorlevel%"
rem A clean exit, or Ctrl+C before it was ready.
if %ended%==0 exit /b 0
if %ended%==-1073741510 exit /b %ended%
goto stay

:cut
echo main.js is missing in "%~dp0". Unpack the archive again, over this folder: settings and data stay. 1>&2
goto failed
:missing
echo Node is missing. Install Node 22.18 or later from https://nodejs.org and run this again. 1>&2
goto failed
:broken
echo "%NODE%" does not start, code %errorlevel%. It has to match this processor: %PROCESSOR_ARCHITECTURE%. 1>&2
:failed
set "ended=1"
:stay
rem After a double click, which gives no options, the window would close before the messages can be read.
if not "%~2"=="" exit /b %ended%
if not "%~1"=="" if not "%~1"=="start" exit /b %ended%
echo %cmdcmdline% | "%SystemRoot%\System32\find.exe" /i "/c" >nul && pause
exit /b %ended%
