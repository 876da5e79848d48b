// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE
internal import SignetSignIn

/// The parameters of a request's query. A repeated parameter is rejected when it is read.
struct GoTrueQuery {
    private static let maximumCount = 64

    private let parameters: [(name: ReceivedText, value: ReceivedText)]

    init(_ request: GoTrueRequest) throws(GoTrueRefusal) {
        guard request.query.utf8.count <= GoTrueRequest.maximumTargetByteCount,
            let all = FormEncoding.decode(request.query), all.count <= Self.maximumCount
        else { throw .invalid("The query is not percent-encoded parameters") }
        parameters = all
    }

    /// The value of a parameter; nil if it is absent or empty.
    func value(_ name: String) throws(GoTrueRefusal) -> ReceivedText? {
        let found = parameters.filter { $0.name.isEqual(to: name) }
        guard found.count <= 1 else {
            throw .invalid("The parameter \(shown: name) is there twice")
        }
        return found.first.flatMap { $0.value.isEmpty ? nil : $0.value }
    }
}
