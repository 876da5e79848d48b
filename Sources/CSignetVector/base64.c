// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Base64 by ranges of characters and not by tables, 32 characters at a time: the same work whatever the data. Nothing here
// decides whether a text is valid: a block with a foreign character is left to the caller, who reads a character at a time.

#include "csignet_vector.h"

#if defined(__x86_64__)

#include <immintrin.h>

int csignet_has_vectors(void) { return __builtin_cpu_supports("avx2"); }

#define AVX2 __attribute__((target("avx2")))

// 0xff in each byte from `low` to `high`. Signed: bytes past ASCII are below everything.
AVX2 static inline __m256i in_range(__m256i bytes, char low, char high) {
    return _mm256_and_si256(
        _mm256_cmpgt_epi8(bytes, _mm256_set1_epi8((char)(low - 1))),
        _mm256_cmpgt_epi8(_mm256_set1_epi8((char)(high + 1)), bytes));
}

AVX2 static inline __m256i where(__m256i mask, int value) {
    return _mm256_and_si256(mask, _mm256_set1_epi8((char)value));
}

AVX2 static size_t decode_blocks(
    const uint8_t *text, size_t text_count, uint8_t *bytes, size_t bytes_count, char character62, char character63) {
    // In each half the three bytes of each of four groups, first byte first.
    const __m256i order = _mm256_setr_epi8(
        2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1, 2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1);
    size_t blocks = 0;
    while (text_count >= 32 && bytes_count >= 28) {
        const __m256i characters = _mm256_loadu_si256((const __m256i *)text);
        const __m256i upper = in_range(characters, 'A', 'Z');
        const __m256i lower = in_range(characters, 'a', 'z');
        const __m256i digit = in_range(characters, '0', '9');
        const __m256i is62 = _mm256_cmpeq_epi8(characters, _mm256_set1_epi8(character62));
        const __m256i is63 = _mm256_cmpeq_epi8(characters, _mm256_set1_epi8(character63));
        const __m256i known = _mm256_or_si256(
            _mm256_or_si256(_mm256_or_si256(upper, lower), digit), _mm256_or_si256(is62, is63));
        if (_mm256_movemask_epi8(known) != -1) break;
        const __m256i distance = _mm256_or_si256(
            _mm256_or_si256(_mm256_or_si256(where(upper, -'A'), where(lower, 26 - 'a')), where(digit, 52 - '0')),
            _mm256_or_si256(where(is62, 62 - character62), where(is63, 63 - character63)));
        const __m256i values = _mm256_add_epi8(characters, distance);
        // Pairs of 6 bits to 12, pairs of 12 to 24.
        const __m256i pairs = _mm256_maddubs_epi16(values, _mm256_set1_epi32(0x01400140));
        const __m256i groups = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00011000));
        const __m256i packed = _mm256_shuffle_epi8(groups, order);
        _mm_storeu_si128((__m128i *)bytes, _mm256_castsi256_si128(packed));
        _mm_storeu_si128((__m128i *)(bytes + 12), _mm256_extracti128_si256(packed, 1));
        text += 32, text_count -= 32, bytes += 24, bytes_count -= 24, blocks += 1;
    }
    return blocks;
}

AVX2 static size_t encode_blocks(
    const uint8_t *bytes, size_t bytes_count, uint8_t *text, size_t text_count, char character62, char character63) {
    // In each half the bytes 1 0 2 1 of each of four groups, so that each 16 bits hold two of its four values.
    const __m256i order = _mm256_setr_epi8(
        1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10, 1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10);
    size_t blocks = 0;
    while (bytes_count >= 28 && text_count >= 32) {
        const __m256i halves = _mm256_inserti128_si256(
            _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)bytes)),
            _mm_loadu_si128((const __m128i *)(bytes + 12)), 1);
        const __m256i groups = _mm256_shuffle_epi8(halves, order);
        // A multiplication shifts each 16 bits by a width of its own.
        const __m256i odd = _mm256_mulhi_epu16(
            _mm256_and_si256(groups, _mm256_set1_epi32(0x0fc0fc00)), _mm256_set1_epi32(0x04000040));
        const __m256i even = _mm256_mullo_epi16(
            _mm256_and_si256(groups, _mm256_set1_epi32(0x003f03f0)), _mm256_set1_epi32(0x01000010));
        const __m256i values = _mm256_or_si256(odd, even);
        const __m256i past25 = _mm256_cmpgt_epi8(values, _mm256_set1_epi8(25));
        const __m256i past51 = _mm256_cmpgt_epi8(values, _mm256_set1_epi8(51));
        const __m256i is62 = _mm256_cmpeq_epi8(values, _mm256_set1_epi8(62));
        const __m256i is63 = _mm256_cmpeq_epi8(values, _mm256_set1_epi8(63));
        // Each step is added to those before it.
        const __m256i steps = _mm256_add_epi8(
            _mm256_add_epi8(where(past25, ('a' - 26) - 'A'), where(past51, ('0' - 52) - ('a' - 26))),
            _mm256_add_epi8(
                where(is62, (character62 - 62) - ('0' - 52)), where(is63, (character63 - 63) - ('0' - 52))));
        const __m256i characters = _mm256_add_epi8(_mm256_add_epi8(values, _mm256_set1_epi8('A')), steps);
        _mm256_storeu_si256((__m256i *)text, characters);
        bytes += 24, bytes_count -= 24, text += 32, text_count -= 32, blocks += 1;
    }
    return blocks;
}

#else

int csignet_has_vectors(void) { return 0; }

#define decode_blocks(...) ((size_t)0)
#define encode_blocks(...) ((size_t)0)

#endif

size_t csignet_base64_decode_blocks(
    const uint8_t *text, size_t text_count, uint8_t *bytes, size_t bytes_count, char character62, char character63) {
    if (!csignet_has_vectors()) return 0;
    return decode_blocks(text, text_count, bytes, bytes_count, character62, character63);
}

size_t csignet_base64_encode_blocks(
    const uint8_t *bytes, size_t bytes_count, uint8_t *text, size_t text_count, char character62, char character63) {
    if (!csignet_has_vectors()) return 0;
    return encode_blocks(bytes, bytes_count, text, text_count, character62, character63);
}
