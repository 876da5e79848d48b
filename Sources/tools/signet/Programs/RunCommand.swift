// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetPlatform
internal import SignetVault

/// `signet run`
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run a program with secrets in its environment.",
        discussion: """
            The program takes the place of signet: signals and its exit status are its own. \
            Nothing starts unless every item was read. Each value is given byte for byte; one \
            with a zero byte is refused. No shell is involved, and signet expands nothing.

            The program's children inherit the variables, and other processes of this user can \
            read them in /proc/PID/environ.

            EXIT STATUS
              126  the program cannot be executed
              127  the program is not found
            Otherwise the program's own, or signet's if nothing was started.

            EXAMPLES
              signet run --env API_TOKEN=api.example/me -- ./deploy --dry-run
              signet run --env PGPASSWORD=db/ci --env KEY=ci/key -- make publish
              signet run --env T=api/me --key-file ci.key -- sh -c 'echo ${#T}'
            """)

    @Option(
        help: ArgumentHelp(
            "A variable and the item with its value; may be repeated.",
            valueName: "name=service/account"))
    var env: [String] = []

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("The program and its arguments, after --.", valueName: "program"))
    var words: [String] = []

    @OptionGroup(title: "All items") var kind: ItemKindOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "The keyring") var keyring: KeyringOptions

    func run() throws {
        // First of all: what is open now was given to this process.
        let program = ReplacingProgram(words)
        let items = try ProgramVariable.all(env)
        try require(
            !words.isEmpty, otherwise: "Name the program.",
            advice: "It stands after --, as in: signet run --env NAME=SERVICE/ACCOUNT -- PROGRAM …")
        try store.check(or: keyring)
        try program.check()
        let opened = try store.open(or: keyring)
        let variables = try items.map { try $0.read(from: opened, kind: kind) }
        OpenedVaults.close()
        let source = store.current.source.map { $0 == "-" ? "/dev/stdin" : $0 }
        try program.replaceProcess(setting: variables, closing: source)
    }
}
