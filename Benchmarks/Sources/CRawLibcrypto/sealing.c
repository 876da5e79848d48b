// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#include "raw_libcrypto.h"

#include <openssl/evp.h>
#include <openssl/rand.h>
#include <stdlib.h>
#include <string.h>

enum { nonce_count = 12, extended_nonce_count = 24, tag_count = 16 };

struct raw_cipher {
    EVP_CIPHER *gcm;
    EVP_CIPHER *ecb;
    // These two hold the expanded key of AES-GCM.
    EVP_CIPHER_CTX *seal;
    EVP_CIPHER_CTX *open;
    // This one holds that of XAES, which derives a key of its own for each nonce, and the other two
    // take turns with it.
    EVP_CIPHER_CTX *derivation;
    EVP_CIPHER_CTX *derived_seal;
    EVP_CIPHER_CTX *derived_open;
    uint8_t subkey[16];
};

static int prepare_derivation(raw_cipher *cipher, const uint8_t *key) {
    uint8_t block[16] = {0};
    int written = 0;
    if (EVP_EncryptInit_ex2(cipher->derivation, cipher->ecb, key, NULL, NULL) != 1
        || EVP_CIPHER_CTX_set_padding(cipher->derivation, 0) != 1
        || EVP_EncryptUpdate(cipher->derivation, block, &written, block, 16) != 1)
        return 0;
    for (int i = 0; i < 16; i++)
        cipher->subkey[i] = (uint8_t)(block[i] << 1 | (i < 15 ? block[i + 1] >> 7 : 0));
    if (block[0] >> 7) cipher->subkey[15] ^= 0x87;
    return 1;
}

raw_cipher *raw_cipher_new(const uint8_t key[32]) {
    raw_cipher *cipher = calloc(1, sizeof *cipher);
    if (!cipher) return NULL;
    cipher->gcm = EVP_CIPHER_fetch(NULL, "AES-256-GCM", NULL);
    cipher->ecb = EVP_CIPHER_fetch(NULL, "AES-256-ECB", NULL);
    cipher->seal = EVP_CIPHER_CTX_new();
    cipher->open = EVP_CIPHER_CTX_new();
    cipher->derivation = EVP_CIPHER_CTX_new();
    cipher->derived_seal = EVP_CIPHER_CTX_new();
    cipher->derived_open = EVP_CIPHER_CTX_new();
    if (cipher->gcm && cipher->ecb && cipher->seal && cipher->open && cipher->derivation && cipher->derived_seal
        && cipher->derived_open && EVP_EncryptInit_ex2(cipher->seal, cipher->gcm, key, NULL, NULL) == 1
        && EVP_DecryptInit_ex2(cipher->open, cipher->gcm, key, NULL, NULL) == 1
        && EVP_EncryptInit_ex2(cipher->derived_seal, cipher->gcm, NULL, NULL, NULL) == 1
        && EVP_DecryptInit_ex2(cipher->derived_open, cipher->gcm, NULL, NULL, NULL) == 1
        && prepare_derivation(cipher, key))
        return cipher;
    raw_cipher_free(cipher);
    return NULL;
}

void raw_cipher_free(raw_cipher *cipher) {
    if (!cipher) return;
    EVP_CIPHER_CTX_free(cipher->seal);
    EVP_CIPHER_CTX_free(cipher->open);
    EVP_CIPHER_CTX_free(cipher->derivation);
    EVP_CIPHER_CTX_free(cipher->derived_seal);
    EVP_CIPHER_CTX_free(cipher->derived_open);
    EVP_CIPHER_free(cipher->gcm);
    EVP_CIPHER_free(cipher->ecb);
    free(cipher);
}

static int derive(raw_cipher *cipher, const uint8_t *nonce, uint8_t key[32]) {
    int written = 0;
    for (int block = 0; block < 2; block++) {
        uint8_t *at = key + 16 * block;
        memset(at, 0, 4);
        at[1] = (uint8_t)(block + 1);
        at[2] = 'X';
        memcpy(at + 4, nonce, nonce_count);
        for (int i = 0; i < 16; i++) at[i] ^= cipher->subkey[i];
    }
    return EVP_EncryptUpdate(cipher->derivation, key, &written, key, 32) == 1;
}

static int seal(
    EVP_CIPHER_CTX *context, const uint8_t *key, const uint8_t *nonce, const uint8_t *plaintext, size_t count,
    uint8_t *ciphertext) {
    int written = 0;
    return EVP_EncryptInit_ex2(context, NULL, key, nonce, NULL) == 1
        && EVP_EncryptUpdate(context, ciphertext, &written, plaintext, (int)count) == 1
        && EVP_EncryptFinal_ex(context, ciphertext + count, &written) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, tag_count, ciphertext + count) == 1;
}

static int unseal(
    EVP_CIPHER_CTX *context, const uint8_t *key, const uint8_t *nonce, const uint8_t *ciphertext, size_t count,
    uint8_t *plaintext) {
    int written = 0;
    return EVP_DecryptInit_ex2(context, NULL, key, nonce, NULL) == 1
        && EVP_DecryptUpdate(context, plaintext, &written, ciphertext, (int)count) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, tag_count, (void *)(ciphertext + count)) == 1
        && EVP_DecryptFinal_ex(context, plaintext + count, &written) == 1;
}

int raw_gcm_seal(raw_cipher *cipher, const uint8_t *plaintext, size_t count, uint8_t *sealed) {
    return RAND_bytes(sealed, nonce_count) == 1
        && seal(cipher->seal, NULL, sealed, plaintext, count, sealed + nonce_count);
}

int raw_gcm_open(raw_cipher *cipher, const uint8_t *sealed, size_t count, uint8_t *plaintext) {
    if (count < nonce_count + tag_count) return 0;
    return unseal(cipher->open, NULL, sealed, sealed + nonce_count, count - nonce_count - tag_count, plaintext);
}

int raw_gcm_open_authenticating(
    raw_cipher *cipher, const char *data, size_t data_count, const uint8_t *sealed, size_t count, uint8_t *plaintext) {
    int written = 0;
    const uint8_t *ciphertext = sealed + nonce_count;
    if (count < nonce_count + tag_count) return 0;
    count -= nonce_count + tag_count;
    return EVP_DecryptInit_ex2(cipher->open, NULL, NULL, sealed, NULL) == 1
        && EVP_DecryptUpdate(cipher->open, NULL, &written, (const uint8_t *)data, (int)data_count) == 1
        && EVP_DecryptUpdate(cipher->open, plaintext, &written, ciphertext, (int)count) == 1
        && EVP_CIPHER_CTX_ctrl(cipher->open, EVP_CTRL_AEAD_SET_TAG, tag_count, (void *)(ciphertext + count)) == 1
        && EVP_DecryptFinal_ex(cipher->open, plaintext + count, &written) == 1;
}

int raw_xaes_seal(raw_cipher *cipher, const uint8_t *plaintext, size_t count, uint8_t *sealed) {
    uint8_t key[32];
    return RAND_bytes(sealed, extended_nonce_count) == 1 && derive(cipher, sealed, key)
        && seal(cipher->derived_seal, key, sealed + 12, plaintext, count, sealed + extended_nonce_count);
}

int raw_xaes_open(raw_cipher *cipher, const uint8_t *sealed, size_t count, uint8_t *plaintext) {
    uint8_t key[32];
    if (count < extended_nonce_count + tag_count || !derive(cipher, sealed, key)) return 0;
    return unseal(
        cipher->derived_open, key, sealed + 12, sealed + extended_nonce_count,
        count - extended_nonce_count - tag_count, plaintext);
}
