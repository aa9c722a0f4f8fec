#!/usr/bin/env bash
# Installs Debian's Chromium, PostgreSQL, nginx and fonts for the tests of the survey, if they are missing and we may.
set -u
missing=()
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || missing+=(chromium)
command -v initdb >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql)
command -v nginx >/dev/null || [ -x /usr/sbin/nginx ] || missing+=(nginx-light)
compgen -G '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf' >/dev/null || missing+=(fonts-dejavu-core)
compgen -G '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc' >/dev/null || missing+=(fonts-noto-cjk)
[ ${#missing[@]} -eq 0 ] && exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "some tests of the survey will be skipped; install as root: apt-get install ${missing[*]}" >&2
    exit 0
fi
apt-get update -q >/dev/null 2>&1
DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" >/dev/null 2>&1 ||
    echo "some tests of the survey will be skipped: ${missing[*]} could not be installed" >&2
exit 0
