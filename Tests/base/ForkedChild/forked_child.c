// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "forked_child.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void run_child(int to, int (*body)(uint8_t *bytes, size_t count), uint8_t *bytes, size_t count) {
    alarm(600);
    if (body(bytes, count) != 0) _exit(1);
    for (size_t sent = 0; sent < count;) {
        ssize_t step = write(to, bytes + sent, count - sent);
        if (step < 0 && errno == EINTR) continue;
        if (step <= 0) _exit(2);
        sent += (size_t)step;
    }
    _exit(0);
}

int forked_child_run(forked_child_kind kind, int (*body)(uint8_t *bytes, size_t count), uint8_t *bytes, size_t count) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    pid_t child = kind == forked_child_fork ? fork() : (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) run_child(ends[1], body, bytes, count);
    close(ends[1]);
    size_t received = 0;
    while (child > 0 && received < count) {
        ssize_t step = read(ends[0], bytes + received, count - received);
        if (step < 0 && errno == EINTR) continue;
        if (step <= 0) break;
        received += (size_t)step;
    }
    close(ends[0]);
    if (child < 0) return -1;
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return received == count && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}
