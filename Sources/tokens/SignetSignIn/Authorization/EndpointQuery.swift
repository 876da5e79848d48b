// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetJOSE

/// Adds parameters to an endpoint's address, after the parameters that the address has.
enum EndpointQuery {
    static func address(
        _ endpoint: EndpointURL, parameters: [(name: String, value: String)]
    ) -> String {
        let separator =
            endpoint.query.map { $0.isEmpty || $0.utf8.last == UInt8(ascii: "&") ? "" : "&" } ?? "?"
        return endpoint.text + separator + FormEncoding.encode(parameters)
    }

    /// RFC 6749, section 3.1: no parameter more than once, including the endpoint's own.
    ///
    /// - Parameter reserved: names that the request sets itself, or that would replace them.
    static func checkNames(
        _ endpoint: EndpointURL, reserved: [String], additional: [(name: String, value: String)]
    ) throws(IdentityConfigurationError) {
        var names = additional.map { ReceivedText($0.name) }
        if let query = endpoint.query, !query.isEmpty {
            guard let present = FormEncoding.decode(query) else {
                throw IdentityConfigurationError(
                    .invalidURL, "The endpoint's query is not one of parameters.")
            }
            names += present.map(\.name)
        }
        var takenNames = reserved.map { ReceivedText($0) }
        for name in names {
            guard !name.isEmpty, !takenNames.contains(where: name.isEqual) else {
                throw IdentityConfigurationError(
                    .contradiction,
                    "A parameter has no name, is repeated, or is set by the request itself.")
            }
            takenNames.append(name)
        }
    }
}
