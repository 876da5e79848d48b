// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE
internal import SignetSignIn

/// The parameters of a request's query. A repeated parameter is rejected when it is read.
struct GoTrueQuery {
    private static let maximumCount = 64

    private let parameters: [(name: ReceivedText, value: ReceivedText)]

    init(_ request: GoTrueRequest) throws(GoTrueRefusal) {
        let count = request.query.utf8.count
        guard count <= GoTrueRequest.maximumTargetByteCount else {
            throw .invalid(
                "The query has \(count) bytes instead of at most "
                    + "\(GoTrueRequest.maximumTargetByteCount)")
        }
        guard let all = FormEncoding.decode(request.query) else {
            throw .invalid("The query is not percent-encoded parameters")
        }
        guard all.count <= Self.maximumCount else {
            throw .invalid(
                "The query has \(all.count) parameters instead of at most \(Self.maximumCount)")
        }
        parameters = all
    }

    /// The value of a parameter; nil if it is absent or empty.
    func value(_ name: String) throws(GoTrueRefusal) -> ReceivedText? {
        let found = parameters.filter { $0.name.isEqual(to: name) }
        guard found.count <= 1 else {
            throw .invalid(
                "The parameter \(shown: name) occurs \(found.count) times instead of once")
        }
        return found.first.flatMap { $0.value.isEmpty ? nil : $0.value }
    }
}
