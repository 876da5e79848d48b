// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// A question that the user must answer at the terminal before the command goes on.
struct Confirmation {
    let question: String

    /// - Throws: `notConfirmed` for any answer except yes.
    func ask() throws {
        let answer: [UInt8]
        do {
            answer = try Terminal.readAnswer(prompt: question + " [y/N] ")
        } catch {
            var failure = CommandFailure(error)
            failure.advice = "Without a terminal say --yes."
            throw failure
        }
        guard ["y", "yes"].contains(where: { $0.utf8.elementsEqual(answer.map(\.lowercased)) })
        else {
            throw CommandFailure.refused(
                "notConfirmed", "Nothing was done.", advice: "Answer y, or say --yes.")
        }
    }
}
