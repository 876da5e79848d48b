// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// To be preloaded: counts what asks for memory, and leaves the work to glibc. Who asked is told by
// the return address: libcrypto's own CRYPTO_malloc is in libcrypto, and so is what it jumps
// back to.

#define _GNU_SOURCE
#include "count_allocations.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Atomic uint64_t others_count, libcrypto_count;
static _Atomic uintptr_t libcrypto_start, libcrypto_end;

static int find_libcrypto(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size, (void)unused;
    if (!info->dlpi_name || !strstr(info->dlpi_name, "/libcrypto.so")) return 0;
    uintptr_t end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type == PT_LOAD && header->p_vaddr + header->p_memsz > end) end = header->p_vaddr + header->p_memsz;
    }
    libcrypto_start = info->dlpi_addr;
    libcrypto_end = info->dlpi_addr + end;
    return 1;
}

// The program links libcrypto, so that it is there before this runs.
__attribute__((constructor)) static void start(void) { dl_iterate_phdr(find_libcrypto, NULL); }

static inline void count(void *caller) {
    uintptr_t address = (uintptr_t)caller;
    int is_libcrypto = address >= libcrypto_start && address < libcrypto_end;
    atomic_fetch_add_explicit(is_libcrypto ? &libcrypto_count : &others_count, 1, memory_order_relaxed);
}

void signet_allocation_counts(uint64_t *others, uint64_t *libcrypto) {
    *others = others_count;
    *libcrypto = libcrypto_count;
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t size) {
    count(CALLER);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count(CALLER);
    return __libc_calloc(number, size);
}

// Growing in place is counted as well: whether it had to move is malloc's affair and differs
// between versions.
void *realloc(void *old, size_t size) {
    count(CALLER);
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count(CALLER);
    return __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
    count(CALLER);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    count(CALLER);
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *made = __libc_memalign(alignment, size);
    if (!made) return ENOMEM;
    *result = made;
    return 0;
}
