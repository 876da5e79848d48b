// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform
internal import SignetVault

/// Where the vault's file is.
struct VaultPath {
    let path: String
    /// Whether the path is the default. Only then does the command make its folder.
    let isStandard: Bool
    /// How the command line names the file: `--vault`, or `--from file:`.
    private let option: String
    /// The option and the path, as a command for the user to type repeats them; empty where the
    /// command finds the same file without them.
    private let given: String

    /// The given name, else `SIGNET_VAULT`, else the place for a program's data by the XDG rules.
    ///
    /// - Parameter option: the option that gives the name, with what stands before it.
    init(_ given: String?, option: String = "--vault ") throws {
        self.option = option
        self.given = given.map { " --vault \(Input.quoted($0))" } ?? ""
        let variable = ProcessEnvironment.path("SIGNET_VAULT")
        if let named = given ?? variable, given != nil || !named.isEmpty {
            let source = given == nil ? "SIGNET_VAULT" : Self.name(option)
            try require(
                !named.isEmpty && named != "-",
                otherwise: "\(shown: source) takes the name of a file.",
                advice: "\(given == nil ? "SIGNET_VAULT=" : option)FILE")
            try require(
                !NamedFile.isForShell(named),
                otherwise:
                    "\(shown: given == nil ? source : "The vault's name") is \(path: named).",
                advice: NamedFile.advice)
            path = named
            isStandard = false
            return
        }
        guard let standard = try? FileVault.standardPath(application: "signet") else {
            throw CommandFailure.usage(
                "This user has no home to look for the vault in.",
                advice: "Name its file: \(option)FILE")
        }
        path = standard
        isStandard = true
    }

    private static func name(_ option: String) -> String {
        String(option.prefix { $0 != " " })
    }

    /// Whether there is anything at the path. Also true if that cannot be determined: then opening
    /// it reports the system's own error.
    var isThere: Bool { PrivatePlace.identity(ofFileAt: path) != nil }

    /// Whether its folder exists.
    var hasFolder: Bool {
        PrivatePlace.identity(ofFileBehind: PrivateFile.split(path).folder) != nil
    }

    /// Refuses a path at which a file exists, before the user is asked for a passphrase. Making the
    /// vault refuses it again.
    ///
    func checkIsFree() throws {
        guard !isThere else {
            throw CommandFailure.refused(
                StoreError.Code.alreadyExists.rawValue,
                "There is a file at \(typed: path) already.",
                advice: "A vault is never replaced. Choose another name: \(option)FILE")
        }
    }

    /// Makes the folder of a vault at the default path, for its owner alone. A folder that the user
    /// named must exist.
    func makeFolder() throws {
        guard isStandard else { return }
        do { try StandardFolders.makeFolder(of: path) } catch {
            throw CommandFailure.unavailable(
                "system", "\(messageOf: error)", advice: "Name another place: \(option)FILE")
        }
    }

    /// The vault, locked.
    func open(_ options: VaultOptions) throws -> FileVault {
        do {
            return OpenedVaults.add(try FileVault.open(at: path, options: options))
        } catch {
            // Files that a lost vault left behind have their own advice, and no vault is made over
            // them.
            let hasLog = PrivatePlace.identity(ofFileAt: path + "-wal") != nil
            guard error.code == .unavailable, !isThere, !hasLog else { throw error }
            var failure = CommandFailure(error)
            // The command makes this folder, so the library's advice about it does not apply.
            if isStandard, !hasFolder {
                failure = .unavailable(
                    error.code.rawValue, "There is no vault at \(typed: path).")
            }
            failure.advice =
                "Name another: \(option)FILE. Or make a vault: signet vault init\(given)"
            throw failure
        }
    }
}
