#!/bin/sh
# image-root.sh NODE FOLDER: the root of an image that can run this Node and nothing else.
set -eu
node=$1
root=$2
mkdir -p "$root/usr/local/bin" "$root/etc" "$root/tmp" "$root/proc" "$root/dev"
chmod 1777 "$root/tmp"
cp -L "$node" "$root/usr/local/bin/node"
# Each library where its loader looks for it, and those that look up names, which are loaded by name.
libraries=$(ldd "$node" | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p; s/^[[:space:]]*\(\/[^ ]*\) .*/\1/p')
folder=$(dirname "$(echo "$libraries" | grep '/libc\.so')")
for library in $libraries "$folder/libnss_dns.so.2" "$folder/libnss_files.so.2" "$folder/libresolv.so.2"; do
  [ -e "$library" ] || continue
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done
echo 'nonroot:x:65532:65532:nonroot:/nonexistent:/sbin/nologin' >"$root/etc/passwd"
echo 'nonroot:x:65532:' >"$root/etc/group"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
