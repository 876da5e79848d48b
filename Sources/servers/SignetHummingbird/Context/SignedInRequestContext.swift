// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    public import Hummingbird
    public import NIOCore

    /// A request context that holds the signed-in user, set by ``Authentication``.
    public protocol SignedInRequestContext<SignedIn>: RequestContext {
        /// The result of verifying a token: `VerifiedAccessToken`, `VerifiedSession`, or your own
        /// type.
        associatedtype SignedIn: Sendable
        /// The signed-in user; nil for a guest.
        var signedIn: SignedIn? { get set }
    }

    /// The context of routes that are open to guests, for applications that need nothing more.
    public struct GuestContext<SignedIn: Sendable>: SignedInRequestContext,
        RemoteAddressRequestContext
    {
        /// Hummingbird's data about a request.
        public var coreContext: CoreRequestContextStorage
        /// The signed-in user; nil for a guest.
        public var signedIn: SignedIn?
        /// The socket's other end, which may be a proxy.
        public let remoteAddress: SocketAddress?
        /// The address of the socket's other end, which may be a proxy's. Nil if it has none.
        public var peer: String? { remoteAddress?.ipAddress }

        /// Makes the context of a new request.
        public init(source: Source) {
            coreContext = CoreRequestContextStorage(source: source)
            remoteAddress = source.channel.remoteAddress
        }
    }

    /// The context of routes for signed-in people. It exists only with a user.
    ///
    /// ```swift
    /// router.group().add(middleware: Authentication(verifier))
    ///     .group("hello", context: MemberContext<Context>.self)
    ///     .get { _, context in
    ///         switch context.signedIn.principal {
    ///         case .user(let subject): "Hello, \(subject)\n"
    ///         case .client(let id): "Hello, client \(id)\n"
    ///         }
    ///     }
    /// ```
    public struct MemberContext<Guest: SignedInRequestContext>: ChildRequestContext {
        /// The guest's context that it is made from.
        public typealias ParentContext = Guest

        /// Hummingbird's data about a request.
        public var coreContext: CoreRequestContextStorage
        /// The signed-in user.
        public let signedIn: Guest.SignedIn

        /// - Throws: an error that is answered 401, for a guest.
        public init(context: Guest) throws {
            guard let signedIn = context.signedIn else { throw NotSignedIn() }
            coreContext = context.coreContext
            self.signedIn = signedIn
        }
    }
#endif
