// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Writes JSON strings whose characters may stand there as they are. Names and claims are short: what counts is what is done
// besides the copying, so that every length from 1 to 15 takes one look and two or three stores. Written with the compiler's own
// vectors, which every processor has or is given word by word.

#include <string.h>

#include "csignet_vector.h"

#define BLOCK 16

typedef int8_t bytes_t __attribute__((vector_size(BLOCK)));
typedef uint64_t words_t __attribute__((vector_size(BLOCK)));

static inline bytes_t load(const uint8_t *text) {
    bytes_t bytes;
    memcpy(&bytes, text, BLOCK);
    return bytes;
}

// Whether none of them is a quotation mark, a reverse solidus, a control character or past ASCII, which is below 0 here.
static inline bool is_plain(bytes_t bytes) {
    const words_t special = (words_t)((bytes < 0x20) | (bytes == '"') | (bytes == '\\'));
    return (special[0] | special[1]) == 0;
}

static inline bool are_plain(uint64_t first, uint64_t last) { return is_plain((bytes_t)(words_t){first, last}); }

// Fewer than 16.
static inline bool copy_short(const uint8_t *text, size_t count, uint8_t *copy) {
    if (count >= 8) {
        uint64_t first, last;
        memcpy(&first, text, sizeof first);
        memcpy(&last, text + count - sizeof last, sizeof last);
        if (!are_plain(first, last)) return false;
        memcpy(copy, &first, sizeof first);
        memcpy(copy + count - sizeof last, &last, sizeof last);
    } else if (count >= 4) {
        uint32_t first, last;
        memcpy(&first, text, sizeof first);
        memcpy(&last, text + count - sizeof last, sizeof last);
        const uint64_t both = first | (uint64_t)last << 32;
        if (!are_plain(both, both)) return false;
        memcpy(copy, &first, sizeof first);
        memcpy(copy + count - sizeof last, &last, sizeof last);
    } else if (count > 0) {
        // The first, the middle and the last one, which may be the same.
        const uint8_t first = text[0], middle = text[count / 2], last = text[count - 1];
        const uint64_t spaces = 0x2020202020202020;
        const uint64_t all = (spaces & ~(uint64_t)0xffffff) | first | (uint64_t)middle << 8 | (uint64_t)last << 16;
        if (!are_plain(all, spaces)) return false;
        copy[0] = first;
        copy[count / 2] = middle;
        copy[count - 1] = last;
    }
    return true;
}

// How many bytes of the text have been copied: all, or those before a block in which there is another character.
static inline size_t copy_plain(const uint8_t *text, size_t count, uint8_t *copy) {
    if (count < BLOCK) return copy_short(text, count, copy) ? count : 0;
    size_t done = 0;
    for (; count - done >= BLOCK; done += BLOCK) {
        const bytes_t bytes = load(text + done);
        if (!is_plain(bytes)) return done;
        memcpy(copy + done, &bytes, BLOCK);
    }
    if (done < count) {
        // The last sixteen, some of them for the second time.
        const bytes_t bytes = load(text + count - BLOCK);
        if (!is_plain(bytes)) return done;
        memcpy(copy + count - BLOCK, &bytes, BLOCK);
    }
    return count;
}

size_t csignet_json_write_quoted(const uint8_t *text, size_t count, uint8_t *room, bool comma, bool colon) {
    uint8_t *next = room;
    *next = ',';
    next += comma;
    *next++ = '"';
    const size_t done = copy_plain(text, count, next);
    next += done;
    if (done < count) return (size_t)(next - room);
    *next++ = '"';
    *next = ':';
    next += colon;
    return (size_t)(next - room);
}
