// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#include "raw_libcrypto.h"

#include <stdlib.h>
#include <string.h>

// 64 for a character that base64url has not.
static uint8_t values[256];

__attribute__((constructor)) static void prepare(void) {
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    memset(values, 64, sizeof values);
    for (uint8_t i = 0; i < 64; i++) values[(uint8_t)alphabet[i]] = i;
}

// The count of decoded bytes, -1 for text that is not base64url without padding.
static ptrdiff_t decode(const char *text, size_t count, uint8_t *bytes) {
    const uint8_t *at = (const uint8_t *)text;
    uint8_t *out = bytes;
    uint8_t wrong = 0;
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        uint8_t a = values[at[i]], b = values[at[i + 1]], c = values[at[i + 2]], d = values[at[i + 3]];
        wrong |= a | b | c | d;
        *out++ = (uint8_t)(a << 2 | b >> 4);
        *out++ = (uint8_t)(b << 4 | c >> 2);
        *out++ = (uint8_t)(c << 6 | d);
    }
    if (count - i == 1) return -1;
    if (count - i >= 2) {
        uint8_t a = values[at[i]], b = values[at[i + 1]], c = count - i == 3 ? values[at[i + 2]] : 0;
        wrong |= a | b | c;
        *out++ = (uint8_t)(a << 2 | b >> 4);
        if (count - i == 3) *out++ = (uint8_t)(b << 4 | c >> 2);
        if ((count - i == 2 ? b & 15 : c & 3) != 0) return -1;
    }
    return wrong & 64 ? -1 : out - bytes;
}

int raw_jwe_open(
    raw_cipher *cipher, const char *header, const char *token, size_t count, uint8_t *plaintext,
    size_t *plaintext_count) {
    const char *ends[5], *at = token, *end = token + count;
    for (int part = 0; part < 4; part++) {
        ends[part] = memchr(at, '.', (size_t)(end - at));
        if (!ends[part]) return 0;
        at = ends[part] + 1;
    }
    ends[4] = end;
    size_t header_count = (size_t)(ends[0] - token);
    if (header_count != strlen(header) || memcmp(token, header, header_count) != 0 || ends[1] != ends[0] + 1) return 0;
    uint8_t *sealed = malloc(count);
    if (!sealed) return 0;
    size_t length = 0;
    int done = 1;
    for (int part = 2; part < 5 && done; part++) {
        const char *start = ends[part - 1] + 1;
        ptrdiff_t decoded = decode(start, (size_t)(ends[part] - start), sealed + length);
        done = decoded >= 0 && (part != 2 || decoded == 12) && (part != 4 || decoded == 16);
        if (done) length += (size_t)decoded;
    }
    done = done && raw_gcm_open_authenticating(cipher, token, header_count, sealed, length, plaintext);
    if (done) *plaintext_count = length - 28;
    free(sealed);
    return done;
}
