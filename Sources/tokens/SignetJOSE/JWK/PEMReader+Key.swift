// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetCrypto

extension PEMReader.Block {
    /// The key in the block. The label says whether it is public or private. The bytes say which
    /// structure it is: programs mix up the labels of PKCS#8, SEC1 and PKCS#1.
    func key() throws(KeyError) -> DecodedKey {
        guard let structure else { throw notRead }
        return try KeyDER.decode(
            contents.span, in: "The PEM block \"\(shown: label)\"", labelled: structure)
    }

    private var structure: DecodedKey.Structure? {
        switch label {
        case "PUBLIC KEY": .subjectPublicKeyInfo
        case "RSA PUBLIC KEY": .rsaPublicKey
        case "PRIVATE KEY": .privateKeyInfo
        case "RSA PRIVATE KEY": .rsaPrivateKey
        case "EC PRIVATE KEY": .ecPrivateKey
        default: nil
        }
    }

    private var notRead: KeyError {
        switch label {
        case "ENCRYPTED PRIVATE KEY": PEM.encrypted
        case "OPENSSH PRIVATE KEY":
            KeyError(.unsupportedKeyType, InputShape.openSSHKey.sentence(about: "The key"))
        default:
            KeyError(
                .unsupportedKeyType,
                "The PEM block \"\(shown: label)\" is none of those that Signet reads: PUBLIC KEY, RSA "
                    + "PUBLIC KEY, PRIVATE KEY, RSA PRIVATE KEY, EC PRIVATE KEY and CERTIFICATE.")
        }
    }
}
