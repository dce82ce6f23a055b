<#
.SYNOPSIS
    Starts the sidecar with Windows, as a task of the Task Scheduler. Needs no other program.

.DESCRIPTION
    Run it in a PowerShell that you opened with "Run as administrator", in the folder of the sidecar:

        powershell -ExecutionPolicy Bypass -File deploy\windows\install-service.ps1

    The task runs without a window and without a user logged on, as the account LOCAL SERVICE, which has few rights.
    It restarts after a crash. Its log is web-bridge.log, next to config.yml.

    Ports: 8080 for websites, and 8081 for the add-on: keep 8081 closed to others. The ports for
    players belong to the game server: see docs\ports.md.

    Show it:     Get-ScheduledTask 'Web Bridge'
    Stop it:     Stop-ScheduledTask 'Web Bridge'
    Start it:    Start-ScheduledTask 'Web Bridge'
    Remove it:   the command above with -Remove

.PARAMETER Folder
    The folder of the sidecar, with main.js in it. Default: the one that this script came with.

.PARAMETER Node
    Path of node.exe. Default: the one in the folder of the sidecar, or else the one in PATH.

.PARAMETER Name
    Name of the task.

.PARAMETER Remove
    Stops and removes the task. Configuration and data stay.
#>
[CmdletBinding()]
param(
    [string]$Folder = (Join-Path $PSScriptRoot '..\..'),
    [string]$Node = '',
    [string]$Name = 'Web Bridge',
    [switch]$Remove
)

Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'

function Stop-WithLine([string]$Line) {
    Write-Host $Line -ForegroundColor Red
    exit 1
}

$me = [Security.Principal.WindowsPrincipal][Security.Principal.WindowsIdentity]::GetCurrent()
if (-not $me.IsInRole([Security.Principal.WindowsBuiltInRole]::Administrator)) {
    Stop-WithLine 'This needs administrator rights: open PowerShell with "Run as administrator" and run it again.'
}

$found = Get-ScheduledTask -TaskName $Name -ErrorAction SilentlyContinue
if ($Remove) {
    if ($null -eq $found) { Stop-WithLine "There is no task '$Name'." }
    Stop-ScheduledTask -TaskName $Name
    Unregister-ScheduledTask -TaskName $Name -Confirm:$false
    Write-Host "Removed the task '$Name'. Configuration and data are unchanged."
    exit 0
}

$Folder = [IO.Path]::GetFullPath($Folder)
$main = Join-Path $Folder 'main.js'
$runner = Join-Path $PSScriptRoot 'run.mjs'
foreach ($file in @($main, $runner)) {
    if (-not (Test-Path -LiteralPath $file)) {
        Stop-WithLine "$file is missing: unpack the archive of the sidecar again, or pass its folder with -Folder."
    }
}

$bundled = Join-Path $Folder 'node\node.exe'
if ($Node -eq '' -and (Test-Path -LiteralPath $bundled)) { $Node = $bundled }
if ($Node -eq '') {
    $command = Get-Command 'node.exe' -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1
    if ($null -eq $command) {
        Stop-WithLine 'Node is missing: install Node 22.18 or later from https://nodejs.org, or pass the path of node.exe with -Node.'
    }
    $Node = $command.Source
}
# The account of the task gets access to the folder of the sidecar below.
if ($Node -ne $bundled -and $Node.StartsWith($env:USERPROFILE, [StringComparison]::OrdinalIgnoreCase)) {
    Stop-WithLine "$Node belongs to your user, so a service cannot run it: install Node for all users from https://nodejs.org"
}
# Node reports itself if it is too old.
try { & $Node $main --version | Out-Null } catch { Stop-WithLine "$Node does not start: $($_.Exception.Message)" }
if ($LASTEXITCODE -ne 0) { Stop-WithLine "$Node cannot run the sidecar (code $LASTEXITCODE): see its message above." }

# By number, since Windows translates the name of the account.
$account = (New-Object Security.Principal.SecurityIdentifier 'S-1-5-19').Translate([Security.Principal.NTAccount]).Value
& "$env:SystemRoot\System32\icacls.exe" $Folder /grant '*S-1-5-19:(OI)(CI)M' /Q | Out-Null
if ($LASTEXITCODE -ne 0) { Stop-WithLine "The account $account cannot be given write access to $Folder." }

$settings = @{
    MultipleInstances          = 'IgnoreNew'
    RestartCount               = 999
    RestartInterval            = New-TimeSpan -Minutes 1
    ExecutionTimeLimit         = [TimeSpan]::Zero
    AllowStartIfOnBatteries    = $true
    DontStopIfGoingOnBatteries = $true
    StartWhenAvailable         = $true
}
$task = @{
    TaskName    = $Name
    Description = 'Sidecar of the Web Bridge for a Minecraft Bedrock server'
    Action      = New-ScheduledTaskAction -Execute $Node -Argument "`"$runner`" --task `"$Name`"" -WorkingDirectory $Folder
    Trigger     = New-ScheduledTaskTrigger -AtStartup
    Principal   = New-ScheduledTaskPrincipal -UserId $account -LogonType ServiceAccount
    Settings    = New-ScheduledTaskSettingsSet @settings
}
if ($null -ne $found) { Stop-ScheduledTask -TaskName $Name }
Register-ScheduledTask @task -Force | Out-Null
Start-ScheduledTask -TaskName $Name

Write-Host "The task '$Name' is running and will start with Windows."
Write-Host "Settings: $(Join-Path $Folder 'config.yml')"
Write-Host "Log:      $(Join-Path $Folder 'web-bridge.log')"
