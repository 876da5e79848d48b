// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetVault

#if SecretService
    internal import SignetSecretService
#endif

/// Which items of the desktop's keyring.
struct KeyringOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The program whose items they are. (default: signet)", valueName: "name"))
    var application: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Alias of the collection: default, login, session. (default: default)", valueName: "alias"))
    var collection: String?

    @Flag(
        name: .long,
        help: "Have the desktop ask to unlock the keyring, where it is locked, or to make one, where none is."
    )
    var unlock = false

    func checkUnused() throws {
        guard application == nil, collection == nil, !unlock else {
            throw CommandFailure.usage(
                "--application, --collection and --unlock are for --backend secret-service.")
        }
    }

    func check() throws {
        guard application != "", collection != "" else {
            throw CommandFailure.usage("--application and --collection take names.")
        }
    }

    #if SecretService
        /// The keyring. Without `--unlock` nobody is asked anything: a locked one is an error.
        func open(timeout: Int, collection named: String? = nil) throws -> any SecureStore {
            var options = SecretServiceOptions(application: application ?? "signet")
            options.collection = named ?? collection ?? "default"
            options.deadlineSeconds = timeout
            options.promptNotice = { Output.errorLine("signet: waiting for the keyring's prompt") }
            let service = try SecretServiceStore(options)
            if unlock { try waiting { () throws(StoreError) in try await service.unlock() } }
            return service
        }

        /// A key that the keyring holds for a vault in a file.
        static func unlockMethod(collection: String) throws -> any UnlockMethod {
            try SecretServiceUnlock(collection: collection)
        }
    #else
        static func unlockMethod(collection: String) throws -> any UnlockMethod { throw missing }

        func open(timeout: Int, collection named: String? = nil) throws -> any SecureStore {
            throw Self.missing
        }

        private static var missing: CommandFailure {
            .unavailable(
                "unsupported", "This signet was built without the Secret Service.",
                advice: "Build it where libsecret-1-dev is installed, without --disable-default-traits.")
        }
    #endif
}
