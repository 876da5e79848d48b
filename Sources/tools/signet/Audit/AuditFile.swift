// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE
internal import SignetPlatform

/// A report of an audit as a file, with its signature beside it if there is a key.
struct AuditFile {
    /// The files are for other people's browsers and tools, and hold no secret.
    static let mode: UInt32 = 0o644

    private let path: String
    private let overwrite: Bool
    private let bytes: [UInt8]
    /// The signature, made before a file is touched; nil without a key.
    private let signature: [UInt8]?

    init(_ text: String, at path: String, overwrite: Bool, signer: JWSSigner?) throws {
        let bytes = Array(text.utf8)
        self.path = path
        self.overwrite = overwrite
        self.bytes = bytes
        signature = try signer.map {
            try Array("\($0.sign(ReportSignature(of: bytes, at: path).payload))\n".utf8)
        }
    }

    private var signaturePath: String { ReportSignature.path(for: path) }

    /// Writes the report, and then its signature. An older signature goes first, so that at no
    /// moment it is beside a report that it does not fit. If the new report cannot be written, the
    /// older signature comes back.
    func write() throws {
        let former = PrivatePlace.identity(ofFileAt: path)
        let older = try removeSignature()
        do {
            try write(bytes, to: path)
        } catch var failure as CommandFailure {
            if PrivatePlace.identity(ofFileAt: path) != former {
                failure.advice = Self.unsigned
            } else if let older, !putBack(older) {
                failure.advice =
                    "The older report is as it was, and its signature is lost: "
                    + Input.quoted(path)
            }
            throw failure
        }
        guard let signature else { return }
        do {
            try write(signature, to: signaturePath)
        } catch var failure as CommandFailure {
            failure.advice = Self.unsigned
            throw failure
        }
    }

    private static let unsigned =
        "The new report is there without a signature: remove it, or replace it with --force."

    private func write(_ bytes: [UInt8], to path: String) throws {
        try OutputFile(path, overwrite: overwrite).write(bytes, mode: Self.mode)
    }

    /// Removes an older signature.
    ///
    /// - Returns: its bytes, none if they cannot be read; nil if there was no signature.
    private func removeSignature() throws -> [UInt8]? {
        guard signature != nil, overwrite,
            PrivatePlace.identity(ofFileAt: signaturePath) != nil
        else { return nil }
        let older = try? PrivateFile.readRegular(
            path: signaturePath, maximumByteCount: ReportSignature.maximumByteCount)
        do {
            try PrivateFile.remove(signaturePath)
        } catch {
            throw CommandFailure(writing: error)
        }
        return older?.bytes ?? []
    }

    private func putBack(_ older: [UInt8]) -> Bool {
        guard !older.isEmpty else { return false }
        do {
            try PrivateFile.write(older, to: signaturePath, mode: Self.mode, overwrite: false)
            return true
        } catch {
            return false
        }
    }
}
