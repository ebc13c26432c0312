@echo off
rem The command line on Windows: finds a Python, which makes the private environment and goes on in it.
setlocal
set "CHECK=import sys; sys.exit(sys.version_info < (3, 9))"
set "CODE=import os, sys; sys.argv[1] = os.path.abspath(sys.argv[1]); sys.path.insert(0, sys.argv[1]); from agentops_dream import worker; worker.shell(sys.argv[1])"
for %%P in ("py -3" "python" "python3") do (
  rem Running it is the only proof: the store's stub is found, and prints an advertisement.
  %%~P -I -S -c "%CHECK%" >nul 2>nul
  if not errorlevel 1 (
    %%~P -I -S -X utf8 -c "%CODE%" "%~dp0.." %*
    exit /b
  )
)
echo agentops-dream: no Python 3.9 or newer found; install one from python.org 1>&2
exit /b 1
