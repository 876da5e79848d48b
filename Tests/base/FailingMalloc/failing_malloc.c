// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "failing_malloc.h"

#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// What glibc calls these itself. The program's own names come before those of the C library, for
// all libraries.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

// A sanitizer has an allocator of its own, which must not be replaced.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
int failing_malloc_set(int first, bool lasting) {
    (void)first, (void)lasting;
    return -1;
}
#else
static uintptr_t library_start, library_end;
static _Thread_local int remaining = -1;
static _Thread_local bool is_lasting;
static _Thread_local int refused;

static int find_library(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size, (void)unused;
    if (info->dlpi_name == NULL || strstr(info->dlpi_name, "libcrypto.so") == NULL) return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD || (header->p_flags & PF_X) == 0) continue;
        library_start = info->dlpi_addr + header->p_vaddr;
        library_end = library_start + header->p_memsz;
    }
    return 1;
}

int failing_malloc_set(int first, bool lasting) {
    if (library_end == 0) dl_iterate_phdr(find_library, NULL);
    int count = refused;
    refused = 0;
    is_lasting = lasting;
    remaining = first;
    return count;
}

static bool fails(const void *caller) {
    if (remaining < 0 || (uintptr_t)caller < library_start || (uintptr_t)caller >= library_end) return false;
    if (remaining > 0) {
        remaining--;
        return false;
    }
    if (!is_lasting) remaining = -1;
    refused++;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size) { return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size); }

void *calloc(size_t count, size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}
#endif
