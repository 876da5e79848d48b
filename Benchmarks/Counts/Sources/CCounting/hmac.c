// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// The inner and the outer state are made once and copied for each message, as in ../../../Sources/CRawLibcrypto.

#include "counting.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdlib.h>

enum { block_count = 64, code_count = 32 };

struct counting_hmac {
    EVP_MD *type;
    EVP_MD_CTX *inner;
    EVP_MD_CTX *outer;
    EVP_MD_CTX *work;
};

static int absorb(EVP_MD_CTX *context, const EVP_MD *type, const uint8_t *key, size_t key_count, uint8_t pad) {
    uint8_t block[block_count];
    for (size_t i = 0; i < block_count; i++) block[i] = (i < key_count ? key[i] : 0) ^ pad;
    return EVP_DigestInit_ex2(context, type, NULL) == 1 && EVP_DigestUpdate(context, block, block_count) == 1;
}

counting_hmac *counting_hmac_new(const uint8_t *key, size_t key_count) {
    if (key_count > block_count) return NULL;
    counting_hmac *hmac = calloc(1, sizeof *hmac);
    if (!hmac) return NULL;
    hmac->type = EVP_MD_fetch(NULL, "SHA256", NULL);
    hmac->inner = EVP_MD_CTX_new();
    hmac->outer = EVP_MD_CTX_new();
    hmac->work = EVP_MD_CTX_new();
    if (hmac->type && hmac->inner && hmac->outer && hmac->work
        && absorb(hmac->inner, hmac->type, key, key_count, 0x36)
        && absorb(hmac->outer, hmac->type, key, key_count, 0x5c))
        return hmac;
    counting_hmac_free(hmac);
    return NULL;
}

void counting_hmac_free(counting_hmac *hmac) {
    if (!hmac) return;
    EVP_MD_CTX_free(hmac->inner);
    EVP_MD_CTX_free(hmac->outer);
    EVP_MD_CTX_free(hmac->work);
    EVP_MD_free(hmac->type);
    free(hmac);
}

int counting_hmac_verify(counting_hmac *hmac, const uint8_t *message, size_t count, const uint8_t code[32]) {
    uint8_t own[code_count];
    return EVP_MD_CTX_copy_ex(hmac->work, hmac->inner) == 1 && EVP_DigestUpdate(hmac->work, message, count) == 1
        && EVP_DigestFinal_ex(hmac->work, own, NULL) == 1 && EVP_MD_CTX_copy_ex(hmac->work, hmac->outer) == 1
        && EVP_DigestUpdate(hmac->work, own, code_count) == 1 && EVP_DigestFinal_ex(hmac->work, own, NULL) == 1
        && CRYPTO_memcmp(own, code, code_count) == 0;
}
