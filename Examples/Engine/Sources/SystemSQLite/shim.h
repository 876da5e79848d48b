// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
#include <sqlite3.h>
