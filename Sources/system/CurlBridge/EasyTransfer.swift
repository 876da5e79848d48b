// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSignetCurl
internal import SignetBase

/// A transfer in libcurl's hands. Only the thread of its ``TransferLoop`` makes, uses and frees it.
/// The loop holds it until libcurl has forgotten it, so libcurl's callbacks always find it. Only
/// connections may outlive it: see ``TransferSockets``.
@safe
final class EasyTransfer {
    let transfer: Transfer
    let easy: UnsafeMutableRawPointer
    private var head: HeadReader
    var replies = MailReplies()
    /// How much of a message has been sent.
    var sentByteCount = 0
    private var body: [UInt8] = []
    /// Why a callback refused more.
    private var refusal: CurlFailure.Reason?
    /// The header's fields; for a message, its recipient.
    private(set) var list: UnsafeMutablePointer<curl_slist>?
    private var addresses: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutableBufferPointer<CChar>

    /// Fails closed: if libcurl rejects a rule, nothing is sent.
    init(_ transfer: Transfer, settings: CurlSettings) throws(CurlFailure) {
        guard let easy = unsafe ccurl_easy_new() else { throw CurlFailure(.unavailable) }
        self.transfer = transfer
        head = HeadReader(isEncrypted: transfer.request.isEncrypted)
        unsafe self.easy = easy
        unsafe errorText = .allocate(capacity: ccurl_error_size())
        unsafe errorText.initialize(repeating: 0)
        // From here on deinit frees.
        guard FieldText.isName(transfer.request.method) else { throw CurlFailure(.unsendable) }
        if transfer.request.mail == nil { try addFields(transfer.request.sentFields) }
        try set(settings)
    }

    private func addFields(_ fields: [(name: String, value: String)]) throws(CurlFailure) {
        for (name, value) in fields {
            guard FieldText.isName(name), FieldText.isValue(value) else {
                throw CurlFailure(.unsendable)
            }
            // For an empty value, the semicolon sends the field, while the colon suppresses it.
            try add(value.isEmpty ? "\(name):" : "\(name): \(value)")
        }
    }

    deinit {
        unsafe ccurl_easy_free(easy)
        unsafe curl_slist_free_all(list)
        unsafe curl_slist_free_all(addresses)
        unsafe errorText.deinitialize()
        unsafe errorText.deallocate()
    }

    /// The result of a transfer that libcurl has ended with this code.
    func outcome(of code: Int32) -> Transfer.Outcome {
        // libcurl's code says only that this object ended the transfer.
        if let refusal { return .failure(CurlFailure(refusal)) }
        if transfer.request.mail != nil, let failure = mailFailure(code) {
            return .failure(failure)
        }
        guard code == 0 else {
            let text = unsafe errorText.baseAddress.map { unsafe String(cString: $0) } ?? ""
            return .failure(CurlFailure(code: code, text: text))
        }
        guard head.isComplete, let status = head.status else {
            return .failure(CurlFailure(.unreachable))
        }
        return .success(CurlAnswer(status: status, fields: head.fields, body: body))
    }

    private func takeHead(_ line: UnsafeRawBufferPointer) -> Bool {
        guard transfer.request.mail == nil else {
            let isTaken = unsafe takeReply(line)
            if !isTaken { refusal = refusal ?? .invalidResponse }
            return isTaken
        }
        guard unsafe head.take(line) else {
            refusal = refusal ?? (head.isCompressed ? .compressed : .invalidResponse)
            return false
        }
        return true
    }

    private func takeBody(_ part: UnsafeRawBufferPointer) -> Bool {
        guard !head.hasNoBody else {
            refusal = refusal ?? .invalidResponse
            return false
        }
        guard part.count <= transfer.request.maximumBodyByteCount - body.count else {
            refusal = refusal ?? .bodyTooLarge
            body = []
            return false
        }
        unsafe body.append(contentsOf: part)
        return true
    }

    /// Appends a line to ``list``.
    func add(_ line: String) throws(CurlFailure) {
        guard let longer = unsafe curl_slist_append(list, line) else {
            throw CurlFailure(.unavailable)
        }
        unsafe list = longer
    }

    /// Sets every option of the transfer, and fails if libcurl rejects one of them.
    private func set(_ settings: CurlSettings) throws(CurlFailure) {
        let request = transfer.request
        var codes: [Int32] = []
        for (option, value) in Self.rules {
            codes.append(unsafe ccurl_set_number(easy, option, value))
        }
        codes.append(unsafe ccurl_set_text(easy, CURLOPT_URL, request.url))
        codes += try request.mail.map(setMail) ?? setHTTP(settings)
        // Only for connecting, so several addresses share the time. `Transfer` limits the whole,
        // to a day at most, too.
        let milliseconds = request.timeout.milliseconds(atMost: 86_400_000)
        codes.append(unsafe ccurl_set_number(easy, CURLOPT_CONNECTTIMEOUT_MS, milliseconds))
        if let authorities = settings.authorities { codes += setAuthorities(authorities) }
        if let pins = settings.pins(of: request.host) {
            // Without TLS there is no key to check.
            guard request.isEncrypted else { throw CurlFailure(.notPinned) }
            codes.append(unsafe ccurl_set_text(easy, CURLOPT_PINNEDPUBLICKEY, pins))
        }
        for address in settings.addresses {
            guard let longer = unsafe curl_slist_append(addresses, address) else {
                throw CurlFailure(.unavailable)
            }
            unsafe addresses = longer
        }
        codes.append(unsafe ccurl_set_list(easy, CURLOPT_RESOLVE, addresses))
        codes.append(unsafe ccurl_set_error_text(easy, errorText.baseAddress))
        codes.append(setReceivers())
        codes.append(unsafe transfer.sockets.set(easy))
        unsafe ccurl_set_quick_exit(easy)
        guard codes.allSatisfy({ $0 == 0 }) else { throw CurlFailure(.unavailable) }
    }

    private func setHTTP(_ settings: CurlSettings) -> [Int32] {
        let request = transfer.request
        var codes = [unsafe ccurl_set_place(easy, request.isEncrypted ? 1 : 0)]
        codes += setProxy(settings.proxy)
        codes.append(unsafe ccurl_set_list(easy, CURLOPT_HTTPHEADER, list))
        // libcurl reads 0 as no limit; here 0 allows no body.
        codes.append(unsafe ccurl_set_maximum_size(easy, Int64(request.maximumBodyByteCount)))
        if let body = request.body {
            codes.append(
                unsafe body.withUnsafeBytes {
                    unsafe ccurl_set_post(easy, $0.baseAddress, Int64($0.count))
                })
        }
        codes.append(unsafe ccurl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method))
        return codes
    }

    /// Replaces the system's file, and the system's folder, which libcurl also reads.
    private func setAuthorities(_ path: String) -> [Int32] {
        [
            unsafe ccurl_set_text(easy, CURLOPT_CAINFO, path),
            withoutFolder(CURLOPT_CAPATH),
            unsafe ccurl_set_text(easy, CURLOPT_PROXY_CAINFO, path),
            withoutFolder(CURLOPT_PROXY_CAPATH),
        ]
    }

    /// Takes the folder away. A TLS library that reads no folder refuses the option, which is as
    /// good.
    private func withoutFolder(_ option: CURLoption) -> Int32 {
        let code = unsafe ccurl_set_text(easy, option, nil)
        // CURLE_NOT_BUILT_IN is 4, CURLE_UNKNOWN_OPTION is 48.
        return code == 4 || code == 48 ? 0 : code
    }

    /// http is for this machine or a private network, and uses no proxy. https tunnels through the
    /// proxy.
    private func setProxy(_ proxy: CurlSettings.Proxy) -> [Int32] {
        guard transfer.request.isEncrypted else {
            return [unsafe ccurl_set_text(easy, CURLOPT_PROXY, "")]
        }
        switch proxy {
        case .environment: return []
        case .none: return [unsafe ccurl_set_text(easy, CURLOPT_PROXY, "")]
        case .named(let address, let credentials):
            var codes = [
                unsafe ccurl_set_text(easy, CURLOPT_PROXY, address),
                // Otherwise the environment's exceptions would apply.
                unsafe ccurl_set_text(easy, CURLOPT_NOPROXY, ""),
            ]
            if let (user, password) = credentials {
                codes += [
                    unsafe ccurl_set_text(easy, CURLOPT_PROXYUSERNAME, user),
                    unsafe ccurl_set_text(easy, CURLOPT_PROXYPASSWORD, password),
                ]
            }
            return codes
        }
    }

    private func setReceivers() -> Int32 {
        // Unretained: see above.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        return unsafe ccurl_set_receivers(
            easy,
            { octets, size, count, context in
                unsafe EasyTransfer.receive(octets, size: size, count: count, context: context) {
                    unsafe $0.takeHead($1)
                }
            },
            { octets, size, count, context in
                unsafe EasyTransfer.receive(octets, size: size, count: count, context: context) {
                    unsafe $0.takeBody($1)
                }
            }, context)
    }

    /// Returns how much was taken: everything, or nothing, which ends the transfer.
    @unsafe
    private static func receive(
        _ octets: UnsafeMutablePointer<CChar>?, size: Int, count: Int,
        context: UnsafeMutableRawPointer?,
        _ take: (EasyTransfer, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        let (total, isTooMuch) = size.multipliedReportingOverflow(by: count)
        guard let octets = unsafe octets, let context = unsafe context, !isTooMuch, total > 0 else {
            return 0
        }
        let itself = unsafe Unmanaged<EasyTransfer>.fromOpaque(context).takeUnretainedValue()
        return unsafe take(itself, UnsafeRawBufferPointer(start: octets, count: total)) ? total : 0
    }

    // CURL_SSLVERSION_TLSv1_2 is 6, CURL_HTTP_VERSION_1_1 is 2, CURL_NETRC_IGNORED and
    // CURLHEADER_UNIFIED 0, CURLHEADER_SEPARATE 1. Only one version of HTTP: a fetch every ten
    // minutes gains nothing from a second one, which would add a second parser for hostile input.
    //
    // No connection is reused. On a kept one, libcurl 7.88 takes bytes after one response, which a
    // server or a middlebox sent, for the next response, and resends a request if the connection
    // turns out to be dead, even an authorization code.
    private static let rules: [(CURLoption, Int)] = [
        (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_MAXREDIRS, 0),
        (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2), (CURLOPT_SSLVERSION, 6),
        (CURLOPT_HTTP_VERSION, 2), (CURLOPT_HTTP09_ALLOWED, 0), (CURLOPT_NETRC, 0),
        (CURLOPT_UNRESTRICTED_AUTH, 0), (CURLOPT_HEADEROPT, 1),
        (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
        (CURLOPT_PATH_AS_IS, 1), (CURLOPT_DISALLOW_USERNAME_IN_URL, 1), (CURLOPT_NOPROGRESS, 1),
        (CURLOPT_FRESH_CONNECT, 1), (CURLOPT_FORBID_REUSE, 1),
    ]
}
