// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetEmail

/// Whose account may sign in: the options of `signet login` about its address.
struct StaffOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Sign in only with a verified address of this domain ('*.domain': below it); may be "
                + "repeated.", valueName: "domain"))
    var allowDomain: [String] = []

    /// Nil if everyone's may.
    func policy() throws -> BusinessEmailPolicy? {
        guard !allowDomain.isEmpty else { return nil }
        do {
            return try BusinessEmailPolicy(
                allowing: allowDomain.flatMap(EmailDomainRule.rules(fromList:)))
        } catch {
            throw CommandFailure(
                status: .usage, code: error.code.rawValue, message: "\(messageOf: error)")
        }
    }
}
