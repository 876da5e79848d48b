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

    func checkUnused() throws {
        guard application == nil, collection == nil else {
            throw CommandFailure.usage(
                "--application and --collection are for --backend secret-service.")
        }
    }

    func check() throws {
        guard application != "", collection != "" else {
            throw CommandFailure.usage("--application and --collection take names.")
        }
    }

    #if SecretServiceLater
        /// The keyring; where it is locked, the desktop asks.
        func open(timeout: Int, collection named: String? = nil) throws -> any SecureStore {
            var options = SecretServiceOptions(application: application ?? "signet")
            options.collection = named ?? collection ?? "default"
            options.deadlineSeconds = timeout
            let service = try SecretServiceStore(options)
            return service
        }
    #else
        func open(timeout: Int, collection named: String? = nil) throws -> any SecureStore {
            throw CommandFailure.unavailable(
                "unsupported", "This signet was built without the Secret Service.",
                advice: "Build it where libsecret-1-dev is installed, without --disable-default-traits.")
        }
    #endif
}
