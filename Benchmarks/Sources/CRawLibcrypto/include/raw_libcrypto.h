// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
//
// The system's libcrypto with nothing around it: the floor that Signet is measured against.
//
// No type of OpenSSL's is named here, on purpose. The benchmark's Swift module links BoringSSL too,
// inside swift-crypto; the two libraries have headers of the same names with different contents,
// and no module may see both.
//
// Contexts are made once and reused, which is as fast as libcrypto gets. None of them may be used
// from two threads at once. Functions that return an int give 1 for success and 0 for everything
// else.
#ifndef RAW_LIBCRYPTO_H
#define RAW_LIBCRYPTO_H

#include <stddef.h>
#include <stdint.h>

// The version text of the libcrypto that is loaded.
const char *raw_library_version(void);

// HMAC-SHA-256: the inner and outer states are computed once and copied for each code.
typedef struct raw_hmac raw_hmac;
raw_hmac *raw_hmac_new(const uint8_t *key, size_t key_count);
void raw_hmac_free(raw_hmac *hmac);
int raw_hmac_compute(raw_hmac *hmac, const uint8_t *message, size_t count, uint8_t code[32]);
int raw_hmac_verify(raw_hmac *hmac, const uint8_t *message, size_t count, const uint8_t code[32]);

typedef enum raw_scheme {
    raw_scheme_rs256,
    raw_scheme_es256,
    raw_scheme_ed25519,
} raw_scheme;

// One key with one scheme, for signing (from a private PEM) or for verifying (from a public one).
// ECDSA signatures are r and s of 32 bytes each, as in a JWS: turning them into DER and back is
// part of the work.
typedef struct raw_key raw_key;
raw_key *raw_key_signing(const char *pem, size_t pem_count, raw_scheme scheme);
raw_key *raw_key_verifying(const char *pem, size_t pem_count, raw_scheme scheme);
void raw_key_free(raw_key *key);
int raw_key_verify(
    raw_key *key, const uint8_t *signature, size_t signature_count, const uint8_t *message, size_t count);
// `signature` has room for 512 bytes; its length is written to `signature_count`.
int raw_key_sign(
    raw_key *key, const uint8_t *message, size_t count, uint8_t *signature, size_t *signature_count);

// One RSA public key from its numbers, big-endian, which is then freed again.
int raw_rsa_import(const uint8_t *modulus, size_t modulus_count, const uint8_t *exponent, size_t exponent_count);

// AES-256-GCM, and XAES-256-GCM (C2SP) over it. Sealing draws a random nonce and writes nonce,
// ciphertext and tag; opening reads the same.
typedef struct raw_cipher raw_cipher;
raw_cipher *raw_cipher_new(const uint8_t key[32]);
void raw_cipher_free(raw_cipher *cipher);
int raw_gcm_seal(raw_cipher *cipher, const uint8_t *plaintext, size_t count, uint8_t *sealed);
int raw_gcm_open(raw_cipher *cipher, const uint8_t *sealed, size_t count, uint8_t *plaintext);
// The same with additional data.
int raw_gcm_open_authenticating(
    raw_cipher *cipher, const char *data, size_t data_count, const uint8_t *sealed, size_t count, uint8_t *plaintext);
int raw_xaes_seal(raw_cipher *cipher, const uint8_t *plaintext, size_t count, uint8_t *sealed);
int raw_xaes_open(raw_cipher *cipher, const uint8_t *sealed, size_t count, uint8_t *plaintext);

// Opens a compact JWE (alg dir, enc A256GCM): splits it, decodes its parts, compares its header with
// `header`, which is encoded, and opens it with `cipher`'s key. The content's length is written to
// `plaintext_count`; `plaintext` has room for the token's length.
int raw_jwe_open(
    raw_cipher *cipher, const char *header, const char *token, size_t count, uint8_t *plaintext,
    size_t *plaintext_count);

#endif
