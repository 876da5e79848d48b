// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Base64, 32 characters at a time. Its tables are 16 bytes in a register: whatever the data, the same work and the same
// memory. Nothing here decides whether a text is valid: a block with a foreign character is left to the caller, who reads a
// character at a time.

#include "csignet_vector.h"

#if defined(__x86_64__)

#include <immintrin.h>

int csignet_has_vectors(void) { return __builtin_cpu_supports("avx2"); }

#define AVX2 __attribute__((target("avx2")))

// A character is foreign when the tables of its two halves have a bit in common. By the upper half: 1 for 2x, where only the
// 62nd is known, and the 63rd in the standard alphabet; 2 for 3x, the digits; 4 for 4x and 6x, whose first is foreign; 8 for
// 5x, which ends with Z but for the underscore; 16 for 7x, which ends with z; 32 for all others.
struct alphabet {
    uint8_t lower[16];
    uint8_t upper[16];
    // What is added to a character for its value, by the upper half. The 63rd is none of those.
    int8_t distance[16];
    // What is added to a value for its character: to 26 and up, ten digits, the last two, and to 0 to 25.
    int8_t step[16];
    char last;
};

#define UPPER {32, 32, 1, 2, 4, 8, 4, 16, 32, 32, 32, 32, 32, 32, 32, 32}
#define DISTANCE(last_but_one) {0, 0, 62 - last_but_one, 52 - '0', -'A', -'A', 26 - 'a', 26 - 'a', 0, 0, 0, 0, 0, 0, 0, 0}
#define STEP(last_but_one, last) \
    {'a' - 26, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, \
     last_but_one - 62, last - 63, 'A', 0, 0}

static const struct alphabet standard_alphabet = {
    {37, 33, 33, 33, 33, 33, 33, 33, 33, 33, 35, 58, 59, 59, 59, 58}, UPPER, DISTANCE('+'), STEP('+', '/'), '/'};
static const struct alphabet url_alphabet = {
    {37, 33, 33, 33, 33, 33, 33, 33, 33, 33, 35, 59, 59, 58, 59, 51}, UPPER, DISTANCE('-'), STEP('-', '_'), '_'};

AVX2 static inline __m256i table(const void *bytes) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)bytes));
}

AVX2 static size_t decode_blocks(
    const uint8_t *text, size_t text_count, uint8_t *bytes, size_t bytes_count, const struct alphabet *alphabet) {
    const __m256i lower = table(alphabet->lower), upper = table(alphabet->upper), distance = table(alphabet->distance);
    const __m256i last = _mm256_set1_epi8(alphabet->last);
    const __m256i half = _mm256_set1_epi8(0x0f);
    // In each half of the register the three bytes of each of four groups, first byte first.
    const __m256i order = _mm256_setr_epi8(
        2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1, 2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1);
    size_t left = text_count / 32;
    // A block is written with four bytes behind it.
    const size_t room = bytes_count < 28 ? 0 : (bytes_count - 28) / 24 + 1;
    if (left > room) left = room;
    const uint8_t *const begin = text;
    for (; left > 0; left -= 1, text += 32, bytes += 24) {
        const __m256i characters = _mm256_loadu_si256((const __m256i *)text);
        const __m256i high = _mm256_and_si256(_mm256_srli_epi32(characters, 4), half);
        const __m256i low = _mm256_and_si256(characters, half);
        if (!_mm256_testz_si256(_mm256_shuffle_epi8(lower, low), _mm256_shuffle_epi8(upper, high))) break;
        const __m256i near = _mm256_add_epi8(characters, _mm256_shuffle_epi8(distance, high));
        const __m256i values =
            _mm256_blendv_epi8(near, _mm256_set1_epi8(63), _mm256_cmpeq_epi8(characters, last));
        // Pairs of 6 bits to 12, pairs of 12 to 24.
        const __m256i pairs = _mm256_maddubs_epi16(values, _mm256_set1_epi32(0x01400140));
        const __m256i groups = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00011000));
        const __m256i packed = _mm256_shuffle_epi8(groups, order);
        _mm_storeu_si128((__m128i *)bytes, _mm256_castsi256_si128(packed));
        _mm_storeu_si128((__m128i *)(bytes + 12), _mm256_extracti128_si256(packed, 1));
    }
    return (size_t)(text - begin) / 32;
}

AVX2 static size_t encode_blocks(
    const uint8_t *bytes, size_t bytes_count, uint8_t *text, size_t text_count, const struct alphabet *alphabet) {
    const __m256i step = table(alphabet->step);
    // In each half the bytes 1 0 2 1 of each of four groups, so that each 16 bits hold two of its four values.
    const __m256i order = _mm256_setr_epi8(
        1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10, 1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10);
    size_t left = text_count / 32;
    // A block is read with four bytes behind it.
    const size_t whole = bytes_count < 28 ? 0 : (bytes_count - 28) / 24 + 1;
    if (left > whole) left = whole;
    const uint8_t *const begin = bytes;
    for (; left > 0; left -= 1, bytes += 24, text += 32) {
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
        // 0 for 26 to 51, then one for each; 13 for those before.
        const __m256i past51 = _mm256_subs_epu8(values, _mm256_set1_epi8(51));
        const __m256i upto25 = _mm256_and_si256(
            _mm256_cmpgt_epi8(_mm256_set1_epi8(26), values), _mm256_set1_epi8(13));
        const __m256i place = _mm256_or_si256(past51, upto25);
        const __m256i characters = _mm256_add_epi8(values, _mm256_shuffle_epi8(step, place));
        _mm256_storeu_si256((__m256i *)text, characters);
    }
    return (size_t)(bytes - begin) / 24;
}

#else

int csignet_has_vectors(void) { return 0; }

#define decode_blocks(...) ((size_t)0)
#define encode_blocks(...) ((size_t)0)

#endif

size_t csignet_base64_decode_blocks(
    const uint8_t *text, size_t text_count, uint8_t *bytes, size_t bytes_count, bool is_url) {
    if (!csignet_has_vectors()) return 0;
    return decode_blocks(text, text_count, bytes, bytes_count, is_url ? &url_alphabet : &standard_alphabet);
}

size_t csignet_base64_encode_blocks(
    const uint8_t *bytes, size_t bytes_count, uint8_t *text, size_t text_count, bool is_url) {
    if (!csignet_has_vectors()) return 0;
    return encode_blocks(bytes, bytes_count, text, text_count, is_url ? &url_alphabet : &standard_alphabet);
}
