#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Has a C compiler compare CLibsecret/shim.h with the real headers of GLib and libsecret: a source that includes
# both does not compile if a prototype, a constant or the place of a field differs. If the headers are missing, it says so
# and succeeds, or fails with SIGNET_REQUIRE_INTEROP=1.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

skip() {
    echo "prototypes of libsecret: not checked: $1" >&2
    [[ ${SIGNET_REQUIRE_INTEROP:-} != 1 ]] || exit 1
    exit 0
}

compiler=
for candidate in "${CC:-}" cc gcc clang; do
    if [[ -n $candidate ]] && command -v "$candidate" >/dev/null 2>&1; then
        compiler=$candidate
        break
    fi
done
[[ -n $compiler ]] || skip "no C compiler"
command -v pkg-config >/dev/null 2>&1 || skip "no pkg-config"
pkg-config --exists libsecret-1 || skip "no headers of libsecret (package libsecret-1-dev)"

read -r -a flags <<<"$(pkg-config --cflags libsecret-1)"
folder=$(Scripts/package.py path CLibsecret)
"$compiler" -std=c11 -fsyntax-only -Wall -Werror -Wno-pedantic "${flags[@]}" -I "$folder" -x c - <<'C'
#include <stddef.h>
#include <gio/gio.h>
#include <libsecret/secret.h>

#define CLIBSECRET_CHECKING
#include "shim.h"

#define SAME(a, b) _Static_assert((int)(a) == (int)(b), #a)
SAME(SIGNET_BUS_TYPE_SESSION, G_BUS_TYPE_SESSION);
SAME(SIGNET_SERVICE_NONE, SECRET_SERVICE_NONE);
SAME(SIGNET_CALL_FLAGS_NONE, G_DBUS_CALL_FLAGS_NONE);
SAME(SIGNET_COLLECTION_NONE, SECRET_COLLECTION_NONE);
SAME(SIGNET_SEARCH_ALL, SECRET_SEARCH_ALL);
SAME(SIGNET_SEARCH_LOAD_SECRETS, SECRET_SEARCH_LOAD_SECRETS);
SAME(SIGNET_SCHEMA_DONT_MATCH_NAME, SECRET_SCHEMA_DONT_MATCH_NAME);
SAME(SIGNET_SECRET_ERROR_PROTOCOL, SECRET_ERROR_PROTOCOL);
SAME(SIGNET_SECRET_ERROR_IS_LOCKED, SECRET_ERROR_IS_LOCKED);
SAME(SIGNET_SECRET_ERROR_NO_SUCH_OBJECT, SECRET_ERROR_NO_SUCH_OBJECT);
SAME(SIGNET_IO_ERROR_CLOSED, G_IO_ERROR_CLOSED);
SAME(SIGNET_IO_ERROR_CANCELLED, G_IO_ERROR_CANCELLED);
SAME(SIGNET_IO_ERROR_TIMED_OUT, G_IO_ERROR_TIMED_OUT);
SAME(SIGNET_IO_ERROR_DBUS_ERROR, G_IO_ERROR_DBUS_ERROR);
SAME(SIGNET_IO_ERROR_CONNECTION_CLOSED, G_IO_ERROR_CONNECTION_CLOSED);
SAME(SIGNET_DBUS_ERROR_SERVICE_UNKNOWN, G_DBUS_ERROR_SERVICE_UNKNOWN);
SAME(SIGNET_DBUS_ERROR_NAME_HAS_NO_OWNER, G_DBUS_ERROR_NAME_HAS_NO_OWNER);
SAME(SIGNET_DBUS_ERROR_NO_REPLY, G_DBUS_ERROR_NO_REPLY);
SAME(SIGNET_DBUS_ERROR_LIMITS_EXCEEDED, G_DBUS_ERROR_LIMITS_EXCEEDED);
SAME(SIGNET_DBUS_ERROR_NO_SERVER, G_DBUS_ERROR_NO_SERVER);
SAME(SIGNET_DBUS_ERROR_TIMEOUT, G_DBUS_ERROR_TIMEOUT);
SAME(SIGNET_DBUS_ERROR_DISCONNECTED, G_DBUS_ERROR_DISCONNECTED);
SAME(SIGNET_DBUS_ERROR_UNKNOWN_METHOD, G_DBUS_ERROR_UNKNOWN_METHOD);
SAME(SIGNET_DBUS_ERROR_TIMED_OUT, G_DBUS_ERROR_TIMED_OUT);
SAME(SIGNET_DBUS_ERROR_SPAWN_EXEC_FAILED, G_DBUS_ERROR_SPAWN_EXEC_FAILED);
SAME(SIGNET_DBUS_ERROR_SPAWN_NO_MEMORY, G_DBUS_ERROR_SPAWN_NO_MEMORY);
SAME(SIGNET_DBUS_ERROR_UNKNOWN_OBJECT, G_DBUS_ERROR_UNKNOWN_OBJECT);

// What shim.h declares for Swift, once more under other names.
typedef struct { unsigned int domain; int code; char *message; } ErrorThere;
typedef struct ListThere { void *data; struct ListThere *next; struct ListThere *prev; } ListThere;
SAME(sizeof(ErrorThere), sizeof(GError));
SAME(offsetof(ErrorThere, code), offsetof(GError, code));
SAME(offsetof(ErrorThere, message), offsetof(GError, message));
SAME(sizeof(ListThere), sizeof(GList));
SAME(offsetof(ListThere, next), offsetof(GList, next));
SAME(offsetof(ListThere, prev), offsetof(GList, prev));
#define TYPE(ours, theirs) _Static_assert(__builtin_types_compatible_p(ours, theirs), #theirs)
TYPE(int, gboolean);
TYPE(unsigned int, guint);
TYPE(unsigned long, guint64);
TYPE(unsigned long, gsize);
TYPE(signed long, gssize);
TYPE(unsigned int, GQuark);
TYPE(unsigned long, GType);
TYPE(int, GBusType);
TYPE(unsigned int, GDBusCallFlags);
TYPE(unsigned int, SecretServiceFlags);
TYPE(unsigned int, SecretCollectionFlags);
TYPE(unsigned int, SecretSearchFlags);
TYPE(unsigned int, SecretSchemaFlags);
C
echo "prototypes of libsecret: as in the headers of libsecret $(pkg-config --modversion libsecret-1) and GLib $(pkg-config --modversion glib-2.0)"
