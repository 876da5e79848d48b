// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform
internal import SignetVault

/// Where the vault's file is.
struct VaultPath {
    let path: String
    /// Whether the path is the default. Only then does the command make its folder.
    let isStandard: Bool

    /// The given name, else `SIGNET_VAULT`, else the place for a program's data by the XDG rules.
    init(_ given: String?) throws {
        let variable = ProcessEnvironment.path("SIGNET_VAULT")
        if let named = given ?? variable, given != nil || !named.isEmpty {
            try require(!named.isEmpty && named != "-", "--vault takes the name of a file.")
            try require(
                !NamedFile.isForShell(named),
                "\(shown: given == nil ? "SIGNET_VAULT" : "The vault's name") is \(path: named).",
                advice: NamedFile.advice)
            (path, isStandard) = (named, false)
            return
        }
        guard let standard = try? FileVault.standardPath(application: "signet") else {
            throw CommandFailure.usage(
                "This user has no home to look for the vault in.",
                advice: "Name its file: --vault FILE")
        }
        (path, isStandard) = (standard, true)
    }

    /// Whether there is anything at the path. Also true if that cannot be determined: then opening
    /// it reports the system's own error.
    var isThere: Bool { VaultPlace.identity(ofFileAt: path) != nil }

    /// Whether its folder exists.
    var hasFolder: Bool {
        VaultPlace.identity(ofFileBehind: PrivateFile.split(path).folder) != nil
    }

    /// Refuses a path at which a file exists, before the user is asked for a passphrase. Making the
    /// vault refuses it again.
    ///
    /// - Parameter option: the option that names the file.
    func checkIsFree(option: String = "--vault") throws {
        guard !isThere else {
            throw CommandFailure.refused(
                StoreError.Code.alreadyExists.rawValue,
                "There is a file at \(typed: path) already.",
                advice: "A vault is never replaced. Choose another name: \(option) FILE")
        }
    }

    /// Makes the folder of a vault at the default path, for its owner alone. A folder that the user
    /// named must exist.
    func makeFolder() throws {
        guard isStandard else { return }
        do throws(StoreError) { try StandardFolders.makeFolder(of: path) } catch {
            throw CommandFailure.unavailable(
                "system", "\(messageOf: error)", advice: "Name another place: --vault FILE")
        }
    }

    /// The vault, locked.
    func open(_ options: VaultOptions) throws -> FileVault {
        do throws(StoreError) {
            return OpenedVaults.add(try FileVault.open(at: path, options: options))
        } catch {
            let advice = "with 'signet vault init', or name another: --vault FILE"
            // The command makes this folder, so the library's advice about it does not apply.
            if error.code == .unavailable, isStandard, !hasFolder {
                throw CommandFailure.unavailable(
                    error.code.rawValue, "There is no vault at \(typed: path).",
                    advice: "Make one \(advice)")
            }
            var failure = CommandFailure(error)
            // What a lost file left behind has its own advice, and no vault is made over it.
            let hasLog = VaultPlace.identity(ofFileAt: path + "-wal") != nil
            if error.code == .unavailable, !isThere, !hasLog {
                failure.advice = "Make a vault \(advice)"
            }
            throw failure
        }
    }
}
