// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// The root of the command line.
struct SignetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signet",
        abstract:
            "Sign and verify tokens, seal files, keep secrets, audit this machine's cryptography.",
        discussion: """
            Secrets come from a file (--key, --key-file), from an open descriptor (/dev/fd/3, \
            --passphrase-fd) or from a prompt at the terminal, never from an argument.

            EXIT STATUS
              0  good: it verified, it was opened, the audit is clean
              1  refused: a signature, a claim, a key, a passphrase, a vault or a vector
                 is not what it should be, or the item is absent
              2  usage: the command line is wrong
              3  unavailable: a file, a terminal, a keyring, an algorithm or the vectors
                 are not there, or the output could not be written
              4  signed out: there is no session, or it is over: signet login
              5  locked: the keyring that holds the sessions' key is locked
            'signet run' ends with the status of the program, with 126 if it cannot be executed \
            and with 127 if it is not found.
            With --json errors are JSON on standard output as well.

            EXAMPLES
              signet jwk generate --algorithm ES256 --output key.json --public jwks.json
              signet jwt sign --key key.json --iss https://idp.example --aud api \\
                  --sub u1 --exp 5m > token
              signet jwt decode < token
              signet jwt verify --key jwks.json --issuer https://idp.example \\
                  --audience api < token
              signet jwe decrypt --key key.pem --algorithm RSA-OAEP-256 < token.jwe
              signet idtoken verify --provider google --client-id ID < token
              signet accesstoken verify --profile auth0 --domain tenant.eu.auth0.com \\
                  --audience https://api.example --scope read < token
              signet jwks fetch --issuer https://idp.example > jwks.json
              signet seal --new-key seal.key --input notes.txt --output notes.sealed
              signet open --key-file seal.key --input notes.sealed
              signet vault init
              signet vault set api.example/me --prompt
              signet run --env API_TOKEN=api.example/me -- ./deploy
              signet login --issuer https://idp.example --client-id cli
              token=$(signet token) && printf 'Authorization: Bearer %s\\n' "$token" |
                  curl -H @- https://api.example/me
              signet audit --html audit.html
              signet --generate-completion-script bash
            """,
        version: ProgramVersion.text,
        subcommands: [
            JWKCommand.self, JWSCommand.self, JWECommand.self, JWTCommand.self,
            IDTokenCommand.self, AccessTokenCommand.self, JWKSCommand.self,
            SealCommand.self, OpenCommand.self, VaultCommand.self, RunCommand.self,
            LoginCommand.self, WhoamiCommand.self, TokenCommand.self, LogoutCommand.self,
            AccountCommand.self,
            EmailCommand.self,
            AuditCommand.self,
        ])

    /// The commands that answer yes or no: their JSON says `valid` however they end.
    static let verdicts: [any ParsableCommand.Type] = [
        JWSVerifyCommand.self, JWTVerifyCommand.self, IDTokenVerifyCommand.self,
        AccessTokenVerifyCommand.self,
        EmailCheckCommand.self, AuditVerifyCommand.self,
    ]
}
