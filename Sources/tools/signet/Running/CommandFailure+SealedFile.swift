// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetVault

extension CommandFailure {
    /// - Parameter byteCount: how many bytes of an opened file standard output has by now.
    init(_ error: SealedFileError, afterWriting byteCount: Int64) {
        self.init(error)
        if case .writing = error { return }
        guard byteCount > 0, advice == nil else { return }
        advice =
            "Standard output has the first \(byteCount) bytes: they are authentic, but not whole."
    }

    init(_ error: SealedFileError) {
        switch error {
        case .notSealed:
            self = .refused(
                "notSealed", "This is not a file from 'signet seal', or it is truncated.")
        case .scryptCost(let cost):
            self = .refused(
                "invalidParameter",
                "The file asks for a passphrase cost of 2^\(cost) instead of 2^14 to 2^20, or it was changed."
            )
        case .iterationCount(let count):
            self = .refused(
                "invalidParameter",
                "The file asks for \(count) iterations of PBKDF2 instead of 100,000 to 10,000,000, or it was changed."
            )
        case .unavailable(let algorithm):
            self = .refused(
                "unsupported",
                "The file's passphrase needs \(shown: algorithm.name), which the loaded libcrypto (\(shown: CryptoProvider.libraryVersion), provider \(shown: CryptoProvider.providerName)) does not offer.",
                advice:
                    "Open it where there is no FIPS provider, and seal it again with --key-file.")
        case .tooLarge:
            self = .refused(
                "tooLarge",
                "A sealed file of version 1 has at most 1 GiB, and this one is longer.")
        case .cryptography(let error): self.init(error)
        case .reading(let error): self.init(error)
        case .writing(let error): self.init(writing: error)
        }
    }
}
