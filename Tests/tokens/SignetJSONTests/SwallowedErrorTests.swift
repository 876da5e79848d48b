// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// A type that catches an error while it encodes would leave half of a member behind: a truncated
/// restriction is wider than intended, and would be signed.
@Suite("Errors that a type catches while it encodes")
struct SwallowedErrorTests {
    struct Name: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    enum Fault: String, CaseIterable {
        case own, json, notFinite, notFiniteInArray, halfAnArray, nothing

        var code: JSONError.Code {
            switch self {
            case .own, .json, .halfAnArray, .nothing: .typeMismatch
            case .notFinite, .notFiniteInArray: .numberOutOfRange
            }
        }
    }

    struct OwnError: Error {}

    struct Half: Encodable {
        let fault: Fault
        func encode(to encoder: any Encoder) throws {
            switch fault {
            case .nothing: throw OwnError()
            case .halfAnArray, .notFiniteInArray:
                var array = encoder.unkeyedContainer()
                try array.encode("half")
                if fault == .notFiniteInArray { try array.encode(Double.infinity) }
                throw OwnError()
            default:
                var object = encoder.container(keyedBy: Name.self)
                try object.encode("half", forKey: Name("h"))
                if fault == .json { throw JSONError(code: .tooDeep) }
                throw OwnError()
            }
        }
    }

    struct GoesOn: Encodable {
        let fault: Fault
        func encode(to encoder: any Encoder) throws {
            var object = encoder.container(keyedBy: Name.self)
            if fault == .notFinite {
                try? object.encode(Double.nan, forKey: Name("nan"))
            } else {
                try? object.encode(Half(fault: fault), forKey: Name("role"))
            }
            try? object.encode("after", forKey: Name("after"))
        }
    }

    @Test(
        "An error that a type swallows still ends the encoding", arguments: Fault.allCases)
    func counts(fault: Fault) throws {
        #expect(
            jsonError { try JSONTokenEncoder().encode(GoesOn(fault: fault)) }?.code == fault.code)
        #expect(
            jsonError { try JSONTokenEncoder().encodeDocument(GoesOn(fault: fault)) }?.code
                == fault.code)
        let signer = try TokenSigner(hmacKey: TestKeys.hmac(.hs256), clock: .still)
        #expect(
            refusal { try signer.sign(GoesOn(fault: fault), expiration: .optional) }?.code
                == .signingFailed)
        #expect(
            refusal { try signer.sign(GoesOn(fault: fault), lifetime: .seconds(9)) }?.code
                == .signingFailed)
    }
}
