// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// A question that the user must answer at the terminal before the command goes on.
struct Confirmation {
    let question: String

    /// - Throws: `notConfirmed` for any answer except yes.
    func ask() throws {
        let reply: [UInt8]
        do {
            reply = try Terminal.readReply(prompt: question + " [y/N] ")
        } catch {
            var failure = CommandFailure(error)
            failure.advice = "Without a terminal say --yes."
            throw failure
        }
        guard ["y", "yes"].contains(where: { $0.utf8.elementsEqual(reply.map(\.lowercased)) })
        else {
            throw CommandFailure.refused(
                "notConfirmed", "Nothing was done.", advice: "Answer y, or say --yes.")
        }
    }
}
