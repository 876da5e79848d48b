// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
//
// Only what Swift cannot reach by itself: each wrapper says why it is here.
#ifndef COPENSSL_SHIM_H
#define COPENSSL_SHIM_H

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// EVP_PKEY_PUBLIC_KEY and EVP_PKEY_KEYPAIR are compound macros, which Swift does not import.
static inline int copenssl_selection_public_key(void) { return EVP_PKEY_PUBLIC_KEY; }
static inline int copenssl_selection_keypair(void) { return EVP_PKEY_KEYPAIR; }

// EVP_RSA_gen and EVP_EC_gen are macros around the variadic EVP_PKEY_Q_keygen.
static inline EVP_PKEY *copenssl_rsa_generate(size_t bits) { return EVP_RSA_gen(bits); }
static inline EVP_PKEY *copenssl_ec_generate(const char *curve) { return EVP_EC_gen(curve); }

// OPENSSL_clear_free and OPENSSL_free are macros that add the caller's file and line.
static inline void copenssl_clear_free(void *p, size_t count) { OPENSSL_clear_free(p, count); }
static inline void copenssl_free(void *p) { OPENSSL_free(p); }

// The reasons of an error are compound macros, too. The ones here are about the machine, and never
// about an input.
static inline int copenssl_is_no_memory(unsigned long code) {
    return ERR_GET_REASON(code) == ERR_R_MALLOC_FAILURE;
}
static inline int copenssl_is_not_offered(unsigned long code) {
    return ERR_GET_REASON(code) == ERR_R_UNSUPPORTED || ERR_GET_REASON(code) == ERR_R_FETCH_FAILED;
}

#endif
