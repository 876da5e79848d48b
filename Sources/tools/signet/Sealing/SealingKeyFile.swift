// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE
internal import SignetPlatform
internal import SignetVault

/// The file that holds a sealing key: 32 raw bytes, or a line of base64 or base64url that encodes
/// 32 bytes, as `openssl rand -base64 32` prints it.
enum SealingKeyFile {
    /// - Parameter isForVault: whether to refuse a file that other users can read, as vaults do,
    ///   instead of only warning about it.
    static func read(_ path: String, isForVault: Bool = false) throws -> SecretKey {
        let found = try contents(path, isForVault: isForVault)
        guard let key = found.bytes.withBytes({ KeyText.decoded($0) }) else {
            throw CommandFailure.refused(
                "invalidKeySize",
                KeyText.notAKey(
                    "\(typed: path)", shape: found.bytes.withBytes { InputShape(of: $0) }),
                advice: kept)
        }
        guard !KeyText.isOneByteRepeated(key) else {
            throw CommandFailure.refused(
                "invalidKey", "\(typed: path) holds one byte 32 times over, which is not a key.",
                advice: kept)
        }
        // Last: what is no key may be a file of another program's, whose mode is right.
        if found.isOpenToOthers, isForVault {
            throw CommandFailure.refused(
                "insecureFile", "Other users can read or change the key file \(typed: path).",
                advice: "Fix it with: chmod 600 \(Input.quoted(path))")
        }
        if found.isOpenToOthers { Input.warn(about: path) }
        return key
    }

    /// A new key opens nothing that the lost key sealed, so no failure to read a key suggests it.
    private static let kept =
        "Change a copy of the file, not the file: nothing else may open what its key has sealed."

    /// Refuses `-`, which names no file, before anything is read.
    static func checkName(_ path: String) throws {
        try require(path != "-", otherwise: "--new-key takes the name of a new file, not -.")
    }

    /// Makes a key and writes it in base64, like every key file that Signet writes. It never
    /// replaces a file.
    ///
    /// - Parameter path: a name that ``checkName(_:)`` has accepted.
    static func create(_ path: String) throws -> SecretKey {
        let key = try SecretKey.generate(bitCount: 256)
        do {
            try OutputFile(path, overwrite: false).write(KeyText.encoded(key))
        } catch var failure as CommandFailure {
            if failure.code == "exists" {
                failure.advice = "A key is never replaced. To use this one: --key-file"
            }
            throw failure
        }
        return key
    }

    private static func contents(_ path: String, isForVault: Bool) throws
        -> PrivateFile.SecretContents
    {
        let contents: PrivateFile.SecretContents
        do {
            contents = try PrivateFile.readSecret(
                path: path == "-" ? "/dev/stdin" : path,
                maximumByteCount: KeyText.maximumByteCount)
        } catch {
            // A new key cannot replace a vault's lost one, so the error must not suggest one.
            let failure = NamedFile.failure(error, reading: path)
            throw isForVault && error.number.isMissing && failure.advice == nil
                ? CommandFailure(.missingKeyFile(path)) : failure
        }
        return contents
    }
}
