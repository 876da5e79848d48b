// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#include "raw_libcrypto.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <stdlib.h>
#include <string.h>

enum { hash_count = 32, scalar_count = 32, der_capacity = 80 };

struct raw_key {
    raw_scheme scheme;
    EVP_PKEY *key;
    EVP_MD *type;
    // RSA and ECDSA: the hash is computed with one context, the operation with the other.
    EVP_MD_CTX *hash;
    EVP_PKEY_CTX *operation;
    // Ed25519 takes the whole message.
    EVP_MD_CTX *message;
};

static int set_up(raw_key *key, int signs) {
    if (key->scheme == raw_scheme_ed25519) {
        key->message = EVP_MD_CTX_new();
        if (!key->message) return 0;
        return (signs ? EVP_DigestSignInit(key->message, NULL, NULL, NULL, key->key)
                      : EVP_DigestVerifyInit(key->message, NULL, NULL, NULL, key->key))
            == 1;
    }
    key->type = EVP_MD_fetch(NULL, "SHA256", NULL);
    key->hash = EVP_MD_CTX_new();
    key->operation = EVP_PKEY_CTX_new(key->key, NULL);
    if (!key->type || !key->hash || !key->operation) return 0;
    if ((signs ? EVP_PKEY_sign_init(key->operation) : EVP_PKEY_verify_init(key->operation)) != 1) return 0;
    if (key->scheme == raw_scheme_rs256
        && EVP_PKEY_CTX_set_rsa_padding(key->operation, RSA_PKCS1_PADDING) != 1)
        return 0;
    return EVP_PKEY_CTX_set_signature_md(key->operation, key->type) == 1;
}

static raw_key *made(const char *pem, size_t pem_count, raw_scheme scheme, int signs) {
    raw_key *key = calloc(1, sizeof *key);
    BIO *text = BIO_new_mem_buf(pem, (int)pem_count);
    if (key && text) {
        key->scheme = scheme;
        key->key = signs ? PEM_read_bio_PrivateKey(text, NULL, NULL, NULL) : PEM_read_bio_PUBKEY(text, NULL, NULL, NULL);
    }
    BIO_free(text);
    if (key && key->key && set_up(key, signs)) return key;
    raw_key_free(key);
    return NULL;
}

raw_key *raw_key_signing(const char *pem, size_t pem_count, raw_scheme scheme) {
    return made(pem, pem_count, scheme, 1);
}

raw_key *raw_key_verifying(const char *pem, size_t pem_count, raw_scheme scheme) {
    return made(pem, pem_count, scheme, 0);
}

void raw_key_free(raw_key *key) {
    if (!key) return;
    EVP_MD_CTX_free(key->message);
    EVP_PKEY_CTX_free(key->operation);
    EVP_MD_CTX_free(key->hash);
    EVP_MD_free(key->type);
    EVP_PKEY_free(key->key);
    free(key);
}

static int hash(raw_key *key, const uint8_t *message, size_t count, uint8_t *digest) {
    return EVP_DigestInit_ex2(key->hash, key->type, NULL) == 1 && EVP_DigestUpdate(key->hash, message, count) == 1
        && EVP_DigestFinal_ex(key->hash, digest, NULL) == 1;
}

// One INTEGER of DER behind `at`; returns the place behind it.
static uint8_t *put_integer(uint8_t *at, const uint8_t *scalar) {
    size_t start = 0;
    while (start < scalar_count - 1 && scalar[start] == 0) start++;
    size_t sign = scalar[start] >> 7, count = scalar_count - start;
    *at++ = 2;
    *at++ = (uint8_t)(count + sign);
    if (sign) *at++ = 0;
    memcpy(at, scalar + start, count);
    return at + count;
}

static size_t der_from_raw(const uint8_t *raw, uint8_t *der) {
    uint8_t *end = put_integer(put_integer(der + 2, raw), raw + scalar_count);
    der[0] = 0x30;
    der[1] = (uint8_t)(end - der - 2);
    return (size_t)(end - der);
}

static const uint8_t *get_integer(const uint8_t *at, uint8_t *scalar) {
    size_t count = at[1];
    const uint8_t *value = at + 2, *end = value + count;
    while (count > scalar_count) value++, count--;
    memset(scalar, 0, scalar_count - count);
    memcpy(scalar + scalar_count - count, value, count);
    return end;
}

int raw_key_verify(
    raw_key *key, const uint8_t *signature, size_t signature_count, const uint8_t *message, size_t count) {
    if (key->scheme == raw_scheme_ed25519)
        return EVP_DigestVerify(key->message, signature, signature_count, message, count) == 1;
    uint8_t digest[hash_count], der[der_capacity];
    if (!hash(key, message, count, digest)) return 0;
    if (key->scheme == raw_scheme_es256) {
        if (signature_count != 2 * scalar_count) return 0;
        signature_count = der_from_raw(signature, der);
        signature = der;
    }
    return EVP_PKEY_verify(key->operation, signature, signature_count, digest, hash_count) == 1;
}

int raw_key_sign(
    raw_key *key, const uint8_t *message, size_t count, uint8_t *signature, size_t *signature_count) {
    *signature_count = 512;
    if (key->scheme == raw_scheme_ed25519)
        return EVP_DigestSign(key->message, signature, signature_count, message, count) == 1;
    uint8_t digest[hash_count], der[der_capacity];
    if (!hash(key, message, count, digest)) return 0;
    if (key->scheme != raw_scheme_es256)
        return EVP_PKEY_sign(key->operation, signature, signature_count, digest, hash_count) == 1;
    size_t der_count = der_capacity;
    if (EVP_PKEY_sign(key->operation, der, &der_count, digest, hash_count) != 1) return 0;
    get_integer(get_integer(der + 2, signature), signature + scalar_count);
    *signature_count = 2 * scalar_count;
    return 1;
}

int raw_rsa_import(
    const uint8_t *modulus, size_t modulus_count, const uint8_t *exponent, size_t exponent_count) {
    int result = 0;
    BIGNUM *n = BN_bin2bn(modulus, (int)modulus_count, NULL), *e = BN_bin2bn(exponent, (int)exponent_count, NULL);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    OSSL_PARAM *parameters = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    EVP_PKEY *key = NULL;
    if (n && e && builder && context && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n)
        && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e)
        && (parameters = OSSL_PARAM_BLD_to_param(builder)) && EVP_PKEY_fromdata_init(context) == 1)
        result = EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) == 1;
    EVP_PKEY_free(key);
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(builder);
    BN_free(e);
    BN_free(n);
    return result;
}
