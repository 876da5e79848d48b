// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
//
// Only what Swift cannot reach by itself: each wrapper says why it is here. The header is looked for
// in both of its usual places, because pkg-config may be absent: Debian puts it into a folder of its
// own, other systems do not.
#ifndef CLIBPQ_SHIM_H
#define CLIBPQ_SHIM_H

#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#elif __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#error "libpq's headers are not here: package libpq-dev (Debian, Ubuntu) or libpq-devel (Fedora, RHEL)."
#endif

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

// PG_DIAG_SQLSTATE is a character constant, which Swift does not import. Five characters, or NULL.
static inline const char *cpq_state(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

// By default libpq writes the server's notices to standard error.
static inline void cpq_ignore_notice(void *context, const PGresult *result) {
    (void)context;
    (void)result;
}
static inline void cpq_be_quiet(PGconn *connection) {
    PQsetNoticeReceiver(connection, cpq_ignore_notice, 0);
}

// Copies of names and values. They are wiped before they are freed: a value may be a password.
static inline char *cpq_copy(const char *text) { return strdup(text); }
static inline void cpq_drop(char *text) {
    if (text == 0) return;
    volatile char *octet = text;
    while (*octet) *octet++ = 0;
    free(text);
}

// Swift has no way to pass an array of pointers to characters that are not constant. With 0 at the
// end, libpq takes a database's name as it is and does not read it as a connection string.
static inline PGconn *cpq_connect_start(char *const *names, char *const *values) {
    return PQconnectStartParams((const char *const *)names, (const char *const *)values, 0);
}

// Lets another thread end a wait. In C, because PostgresBridge has neither poll nor eventfd: only
// SignetPlatform imports Swift's module of the C library.
static inline int cpq_wake_new(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
static inline void cpq_wake_free(int wake) { close(wake); }
static inline void cpq_wake(int wake) {
    uint64_t one = 1;
    while (write(wake, &one, sizeof one) < 0 && errno == EINTR) {}
}

// The number of this process, which differs in a child of fork.
static inline int32_t cpq_process(void) { return getpid(); }

// A variable of the environment; NULL if it is not set.
static inline const char *cpq_variable(const char *name) { return getenv(name); }

#define CPQ_READABLE 1
#define CPQ_WRITABLE 2
#define CPQ_WOKEN 4
// Waits until the socket can be used, or another thread wakes this one. Returns what happened, 0
// when the time is over, -1 for an error of the system.
static inline int cpq_wait(int socket, int for_what, int wake, int milliseconds) {
    struct pollfd both[2] = {{.fd = socket, .events = 0}, {.fd = wake, .events = POLLIN}};
    if (for_what & CPQ_READABLE) both[0].events |= POLLIN;
    if (for_what & CPQ_WRITABLE) both[0].events |= POLLOUT;
    if (poll(both, wake < 0 ? 1 : 2, milliseconds) < 0) return errno == EINTR ? CPQ_WOKEN : -1;
    int found = 0;
    // The next read or write finds an end or an error.
    if (both[0].revents & (POLLIN | POLLHUP | POLLERR | POLLNVAL)) found |= CPQ_READABLE;
    if (both[0].revents & (POLLOUT | POLLHUP | POLLERR | POLLNVAL)) found |= CPQ_WRITABLE;
    if (wake >= 0 && both[1].revents) {
        uint64_t count = 0;
        if (read(wake, &count, sizeof count) < 0) {}
        found |= CPQ_WOKEN;
    }
    return found;
}

#endif
