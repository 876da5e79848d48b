// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// The folders of a program by the XDG Base Directory Specification.
///
/// ```swift
/// let folders = try StandardFolders(application: "org.example.mail")
/// try folders.make()
/// let key = folders.state + "/key"
/// _ = try? KeyFileUnlock.create(at: key)
/// ```
///
/// A variable that is not absolute is ignored, as the specification says. Without an absolute
/// `HOME`, `~` is the home of this user's account. A path that is not UTF-8 has two noncharacters
/// of Unicode for each such byte: Signet opens what the bytes name, and other libraries find
/// nothing.
public struct StandardFolders: Sendable, Hashable {
    /// For what the user keeps: `$XDG_DATA_HOME/<application>`, or
    /// `~/.local/share/<application>`.
    public let data: String
    /// For what belongs to this machine: `$XDG_STATE_HOME/<application>`, or
    /// `~/.local/state/<application>`. A key file is kept here: a copy of either folder alone opens
    /// nothing.
    public let state: String

    /// The folders of a program. Nothing is checked or created.
    ///
    /// - Parameter application: the name of a folder, 1 to 128 octets, such as `org.example.mail`.
    /// - Throws: `invalidParameter` for a name that is empty, begins with a dot, or holds `/`, `..`
    ///   or a control character; `unavailable` if this user has no home.
    public init(application: String) throws(StoreError) {
        try self.init(application: application, environment: nil)
    }

    package init(application: String, environment: [String: String]?) throws(StoreError) {
        data = try Self.data(application, environment: environment)
        state = try Self.folder(
            "XDG_STATE_HOME", fallback: ".local/state", application: application,
            environment: environment)
    }

    /// Makes the two folders, and the folders above them, for their owner alone. An existing folder
    /// stays as it is, and **is not checked**: opening a vault checks its folder.
    ///
    /// - Throws: `unavailable` if a folder cannot be made.
    public func make() throws(StoreError) {
        for folder in [data, state] { try Self.make(folder) }
    }

    /// The folder of a vault, which needs no home where the variable is set.
    static func data(
        _ application: String, environment: [String: String]?
    ) throws(StoreError) -> String {
        try folder(
            "XDG_DATA_HOME", fallback: ".local/share", application: application,
            environment: environment)
    }

    /// Makes the folder of a file at a standard place.
    package static func makeFolder(of path: String) throws(StoreError) {
        try make(PrivateFile.split(path).folder)
    }

    private static func make(_ folder: String) throws(StoreError) {
        do {
            try UserFolder.make(folder)
        } catch {
            throw StoreError(.unavailable, underlying: error, "\(error).")
        }
    }

    /// A program's folder in the folder that the variable names, or in `fallback` of the user's home.
    private static func folder(
        _ variable: String, fallback: String, application: String, environment: [String: String]?
    ) throws(StoreError) -> String {
        let name = Array(application.utf8)
        let dot = UInt8(ascii: ".")
        let hasTwoDots = zip(name, name.dropFirst()).contains { $0 == dot && $1 == dot }
        let isPathPart = name.first != dot && !hasTwoDots && !name.contains(UInt8(ascii: "/"))
        let hasControls = !application.hasSameOctets(as: application.withoutObeyed)
        guard (1...128).contains(name.count), isPathPart, !hasControls else {
            throw StoreError(
                .invalidParameter,
                "An application's name is the name of a folder: 1 to 128 octets without '/', '..', control "
                    + "characters or a dot in front.")
        }
        guard
            let folder = UserFolder.path(
                variable, orInHome: fallback, { ProcessEnvironment.path($0, in: environment) })
        else {
            throw StoreError(
                .unavailable,
                "This user has no home: set HOME or \(shown: variable), or give a path.")
        }
        return "\(folder)/\(application)"
    }
}
