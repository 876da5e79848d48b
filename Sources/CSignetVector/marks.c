// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Which bytes of a JSON text end a run of characters that stand for themselves. One bit for each byte, so that a reader finds the
// end of a string by counting zeros; what stands there is for the reader to see. Exact in both forms below.

#include <string.h>

#include "csignet_vector.h"

#define BLOCK 64

// Eight bytes at a time: bit 7 of a byte is set where the byte is 0, and nowhere else.
static inline uint64_t is_zero(uint64_t bytes) {
    const uint64_t sevens = 0x7f7f7f7f7f7f7f7f;
    return ~(((bytes & sevens) + sevens) | bytes | sevens);
}

static void mark_by_words(const uint8_t *text, size_t blocks, uint64_t *marks) {
    for (; blocks > 0; blocks -= 1, marks += 1) {
        uint64_t found = 0;
        for (int place = 0; place < BLOCK; place += 8, text += 8) {
            uint64_t bytes;
            memcpy(&bytes, text, sizeof bytes);
            const uint64_t special = is_zero(bytes ^ 0x2222222222222222) | is_zero(bytes ^ 0x5c5c5c5c5c5c5c5c) |
                                     is_zero(bytes & 0xe0e0e0e0e0e0e0e0) | (bytes & 0x8080808080808080);
            // The multiplication brings the bit of each byte to the uppermost one, in order.
            found |= (((special >> 7) * 0x0102040810204080) >> 56) << place;
        }
        *marks = found;
    }
}

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

AVX2 static inline uint32_t plain(const uint8_t *text) {
    const __m256i bytes = _mm256_loadu_si256((const __m256i *)text);
    const __m256i ends = _mm256_or_si256(
        _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('"')), _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\')));
    // Signed: bytes past ASCII are below everything.
    const __m256i printed = _mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(0x1f));
    return (uint32_t)_mm256_movemask_epi8(_mm256_andnot_si256(ends, printed));
}

AVX2 static void mark_by_vectors(const uint8_t *text, size_t blocks, uint64_t *marks) {
    for (; blocks > 0; blocks -= 1, text += BLOCK, marks += 1) {
        *marks = ~((uint64_t)plain(text + 32) << 32 | plain(text));
    }
}

#else

#define mark_by_vectors mark_by_words

#endif

typedef void mark_blocks(const uint8_t *text, size_t blocks, uint64_t *marks);

static inline void find_marks(
    mark_blocks *mark, const uint8_t *text, size_t text_count, uint64_t *marks, size_t marks_count) {
    const size_t blocks = text_count / BLOCK, rest = text_count % BLOCK;
    if (blocks >= marks_count) {
        mark(text, marks_count, marks);
        return;
    }
    mark(text, blocks, marks);
    marks += blocks;
    if (rest == 0) {
        *marks = UINT64_MAX;
    } else if (blocks > 0) {
        // The last whole block once more, without what it has in common with the one before.
        mark(text + text_count - BLOCK, 1, marks);
        *marks = *marks >> (BLOCK - rest) | UINT64_MAX << rest;
    } else {
        uint8_t block[BLOCK] = {0};
        memcpy(block, text, rest);
        mark(block, 1, marks);
    }
}

void csignet_json_marks(const uint8_t *text, size_t text_count, uint64_t *marks, size_t marks_count) {
    if (csignet_has_vectors()) {
        find_marks(mark_by_vectors, text, text_count, marks, marks_count);
    } else {
        find_marks(mark_by_words, text, text_count, marks, marks_count);
    }
}

void csignet_json_marks_by_words(const uint8_t *text, size_t text_count, uint64_t *marks, size_t marks_count) {
    find_marks(mark_by_words, text, text_count, marks, marks_count);
}
