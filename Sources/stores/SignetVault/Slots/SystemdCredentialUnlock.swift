// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto
internal import SignetPlatform

/// Opens a vault with a credential that systemd gave to this service (`LoadCredentialEncrypted=`,
/// `LoadCredential=`): the file of that name in `$CREDENTIALS_DIRECTORY`, which holds a key like a
/// key file.
///
/// Make a credential with `openssl rand -base64 32 | systemd-creds encrypt --name=NAME - FILE`.
/// systemd keeps the folder in memory that is not swapped out, and closed to other users, so the
/// file's permissions are **not** checked here.
public struct SystemdCredentialUnlock: UnlockMethod {
    private static let variable = "CREDENTIALS_DIRECTORY"
    /// The credential's name.
    public let name: String
    private let environment: [String: String]?

    /// Uses a credential by its name, one path component.
    ///
    /// - Parameters:
    ///   - name: the credential's name.
    ///   - environment: replaces the process's own in tests.
    public init(name: String, environment: [String: String]? = nil) {
        self.name = name
        self.environment = environment
    }

    /// The key in the credential, for every slot of this kind.
    ///
    /// - Throws: `invalidParameter` for an invalid name, `unavailable` if the process has no
    ///   credential of that name, `invalidValue` if the credential does not hold a key.
    public func keyEncryptionKey(for slot: KeySlot) throws(StoreError) -> SecretKey? {
        slot.kind == .rawKey ? try read() : nil
    }

    /// A slot for the key in the credential. Throws the errors of ``keyEncryptionKey(for:)``.
    public func newSlot(id: [UInt8], vaultID: [UInt8]) throws(StoreError) -> NewKeySlot {
        NewKeySlot(kind: .rawKey, parameters: [], keyEncryptionKey: try read())
    }

    private func read() throws(StoreError) -> SecretKey {
        let isName =
            (1...255).contains(name.utf8.count) && name != "." && name != ".."
            && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
        guard isName else {
            throw StoreError(
                .invalidParameter,
                "The name of a systemd credential is one file name: 1 to 255 bytes without a slash, not . and not .."
            )
        }
        let folder = ProcessEnvironment.path(Self.variable, in: environment)
        guard let folder, folder.utf8.first == UInt8(ascii: "/") else {
            throw StoreError(
                .unavailable,
                "There are no systemd credentials: \(shown: Self.variable) is not set to a path. Start the service by systemd with LoadCredentialEncrypted= or LoadCredential=."
            )
        }
        return try KeyText.read(
            path: "\(folder)/\(name)", name: "systemd credential", isKeyFile: false)
    }
}
