// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetJSON

/// What Twilio's response means for a message. FACTORS.md has the table.
enum TwilioAnswer: Equatable {
    /// Twilio has taken the message.
    case taken
    /// Twilio will never send this message to this number.
    case refused(code: Int64)
    /// Another attempt may help: later, or after a change of the account or its settings.
    case putOff(code: Int64?)

    /// The codes that are about the number or the text. Each other code, and each new one, is put
    /// off: a mistake here costs a few requests, in the other direction a message.
    static let finalCodes: Set<Int64> = [
        21211, 21265, 21266, 21602, 21610, 21614, 21617, 21635, 30004, 30005, 30006, 30007,
    ]
    /// The states of a message that Twilio took and then did not send.
    private static let failedStates = ["failed", "undelivered", "canceled"]

    init(_ response: TransportResponse) {
        let root = try? JSONDocument(response.body).root
        let isTaken = (200..<300).contains(response.status)
        let code = root?.member(isTaken ? "error_code" : "code")?.int64Value
        let state = root?.member("status")?.text
        if isTaken, !Self.failedStates.contains(where: { state?.isEqual(to: $0) == true }) {
            self = .taken
        } else if response.status < 500, let code, Self.finalCodes.contains(code) {
            self = .refused(code: code)
        } else {
            self = .putOff(code: code)
        }
    }
}
