// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform
package import SignetVault

/// The place of a vault with a program's sessions: there are two. The vault asks for no passphrase,
/// because it is opened without a person.
package struct SessionsPlace: Sendable {
    /// The program that keeps its sessions there.
    package let application: String
    package let path: String
    /// In the state folder. It is not beside the vault, so that a copy of either folder alone opens
    /// nothing.
    package let keyFile: String

    fileprivate init(
        _ name: String, application: String, environment: [String: String]?
    ) throws(StoreError) {
        let folders = try StandardFolders(application: application, environment: environment)
        self.application = application
        path = "\(folders.data)/\(name).signet"
        keyFile = "\(folders.state)/\(name).key"
    }

    /// Whether there is a vault, whatever its state, or may be a vault in a folder that is out of
    /// reach.
    package var isThere: Bool { PrivatePlace.mayBeFile(at: path) }

    /// Whether another place is this one.
    package func isSame(as other: SessionsPlace) -> Bool {
        path.utf8.elementsEqual(other.path.utf8)
    }
}

/// The two places of a program.
struct SessionsPlaces: Sendable {
    /// `sessions.signet`, whose key is in the desktop's keyring, or in a file where there was no
    /// keyring when it was made.
    let main: SessionsPlace
    /// `sessions-file.signet`, whose key is always in a file: for sign-ins without a keyring while
    /// the key of the main vault is in a keyring.
    let withoutKeyring: SessionsPlace

    /// - Parameter environment: replaces the process's own in tests.
    init(application: String, environment: [String: String]?) throws(StoreError) {
        main = try SessionsPlace(
            "sessions", application: application, environment: environment)
        withoutKeyring = try SessionsPlace(
            "sessions-file", application: application, environment: environment)
    }
}

/// An open vault with sessions.
package struct SessionsVault: Sendable {
    package let place: SessionsPlace
    package let store: FileVault
    /// The method that has opened the vault.
    let method: any UnlockMethod
    /// The file that was opened.
    private let file: PrivatePlace.Identity?

    init(_ place: SessionsPlace, store: FileVault, method: any UnlockMethod) {
        self.place = place
        self.store = store
        self.method = method
        file = PrivatePlace.identity(ofFileAt: place.path)
    }

    /// Whether it is unlocked, and still what its place has: another process may have set it aside,
    /// or replaced its key.
    var isCurrent: Bool {
        file == PrivatePlace.identity(ofFileAt: place.path) && (try? store.isLocked()) == false
    }
}
