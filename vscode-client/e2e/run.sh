#!/usr/bin/env bash
# The end-to-end tests of the extension: installs what they need, packages the extension, runs them. Arguments are names
# of scenarios; without one all run.
#
# PYTHON                   an interpreter with pip, for what packaging and the tests install
# CAPTURE_LSP_E2E_PYTHON   an interpreter with torch, for probes; PYTHON is taken without it
# CAPTURE_LSP_E2E_VSIX     a packaged extension to test, instead of one made now
set -euo pipefail
cd "$(dirname "$0")"

python=$(command -v "${PYTHON:-python3}")
export PYTHON=$python
installed=$(bash setup.sh)
eval "$installed"

if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    npm ci --no-audit --no-fund --loglevel=error
fi

vsix=${CAPTURE_LSP_E2E_VSIX:-}
if [ -z "$vsix" ]; then
    (
        cd ..
        if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
            npm ci --no-audit --no-fund --loglevel=error
        fi
        rm -rf e2e/build
        mkdir e2e/build
        npm run --silent package -- --out e2e/build >e2e/build/log 2>&1 || { cat e2e/build/log >&2; exit 1; }
    )
    vsix=$(echo "$PWD"/build/*.vsix)
fi

exec "$node" --disable-warning=ExperimentalWarning run.ts --chromium "$chromium" --code-server "$code_server" \
    --python "${CAPTURE_LSP_E2E_PYTHON:-$python}" --vsix "$vsix" "$@"
