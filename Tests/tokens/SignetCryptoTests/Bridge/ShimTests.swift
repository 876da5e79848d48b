// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import OpenSSLBridge
import Testing

@Suite("The wrappers of shim.h")
struct ShimTests {
    @Test("The selections combine the macros' bits")
    func selections() {
        // OSSL_KEYMGMT_SELECT_ALL_PARAMETERS is a compound macro; its parts are not.
        let parameters =
            OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS | OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS
        #expect(copenssl_selection_public_key() == parameters | OSSL_KEYMGMT_SELECT_PUBLIC_KEY)
        #expect(
            copenssl_selection_keypair()
                == parameters | OSSL_KEYMGMT_SELECT_PUBLIC_KEY | OSSL_KEYMGMT_SELECT_PRIVATE_KEY)
    }

    @Test("The lengths in the bridge match libcrypto's headers")
    func lengths() {
        #expect(Int32(DigestAlgorithm.sha512.byteCount) <= EVP_MAX_MD_SIZE)
        #expect(Int32(AEAD.gcm.nonceByteCount) <= EVP_MAX_IV_LENGTH)
        #expect(Int32(XAESKeySchedule.keyByteCount) <= EVP_MAX_KEY_LENGTH)
        #expect(OPENSSL_RSA_MAX_MODULUS_BITS >= 8192)
        #expect(OPENSSL_RSA_SMALL_MODULUS_BITS == 3072)
        #expect(OPENSSL_RSA_MAX_PUBEXP_BITS == 64)
    }
}
