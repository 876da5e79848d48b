// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
//
// Swift can neither call the variadic functions that set and read libcurl's options, nor read a message, which is a union. Handles are
// `void *` here, whatever type a release of libcurl gives them. A function that returns an int returns libcurl's own code, 0 for success,
// unless it says otherwise.
#ifndef CSIGNETCURL_SHIM_H
#define CSIGNETCURL_SHIM_H

#if __has_include(<curl/curl.h>)
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>
#else
#error "libcurl's headers are not here: package libcurl4-openssl-dev (Debian, Ubuntu) or libcurl-devel (Fedora, RHEL)."
#endif

#if LIBCURL_VERSION_NUM < 0x074200
#error "libcurl 7.66 or newer is needed."
#endif

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

typedef size_t (*ccurl_receiver)(char *octets, size_t size, size_t count, void *context);

static inline int ccurl_initialize(void) { return (int)curl_global_init(CURL_GLOBAL_DEFAULT); }
static inline const char *ccurl_version(void) { return curl_version(); }
static inline int ccurl_has_tls(void) {
    return (curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_SSL) != 0;
}

static inline void *ccurl_easy_new(void) { return curl_easy_init(); }
static inline void ccurl_easy_free(void *easy) { curl_easy_cleanup(easy); }

static inline int ccurl_set_number(void *easy, CURLoption option, long value) {
    return (int)curl_easy_setopt(easy, option, value);
}
// libcurl copies the text.
static inline int ccurl_set_text(void *easy, CURLoption option, const char *text) {
    return (int)curl_easy_setopt(easy, option, text);
}
// libcurl does not copy the list: it must live as long as the handle.
static inline int ccurl_set_list(void *easy, CURLoption option, struct curl_slist *list) {
    return (int)curl_easy_setopt(easy, option, list);
}
static inline int ccurl_set_maximum_size(void *easy, long long size) {
    return (int)curl_easy_setopt(easy, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)size);
}
// CURL_ERROR_SIZE octets, which must live as long as the handle.
static inline int ccurl_set_error_text(void *easy, char *octets) {
    return (int)curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, octets);
}
static inline size_t ccurl_error_size(void) { return CURL_ERROR_SIZE; }
// libcurl copies the body.
static inline int ccurl_set_post(void *easy, const void *body, long long count) {
    int code = (int)curl_easy_setopt(easy, CURLOPT_POST, 1L);
    if (!code) code = (int)curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    if (!code) code = (int)curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, count ? body : "");
    return code;
}
// Uploads what `read` returns from `context`, in portions. A portion of 0 octets ends the upload.
static inline int ccurl_set_upload(void *easy, ccurl_receiver read, void *context, long long count) {
    int code = (int)curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
    if (!code) code = (int)curl_easy_setopt(easy, CURLOPT_READFUNCTION, read);
    if (!code) code = (int)curl_easy_setopt(easy, CURLOPT_READDATA, context);
    if (!code) code = (int)curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)count);
    return code;
}
// `tls` is 0 for TLS from the first octet, 1 for STARTTLS, 2 for none.
static inline int ccurl_set_mail_place(void *easy, int tls) {
    int code = (int)curl_easy_setopt(easy, CURLOPT_USE_SSL, (long)(tls == 2 ? CURLUSESSL_NONE : CURLUSESSL_ALL));
#if LIBCURL_VERSION_NUM >= 0x075500
    if (!code) code = (int)curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, tls == 0 ? "smtps" : "smtp");
#else
    if (!code) code = (int)curl_easy_setopt(
        easy, CURLOPT_PROTOCOLS, (long)(tls == 0 ? CURLPROTO_SMTPS : CURLPROTO_SMTP));
#endif
    return code;
}
// The code of a mail server's last reply; 0 for none.
static inline long ccurl_reply(void *easy) {
    long reply = 0;
    if (curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &reply) != CURLE_OK) return 0;
    return reply;
}
static inline int ccurl_set_receivers(void *easy, ccurl_receiver head, ccurl_receiver body, void *context) {
    int code = (int)curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, head);
    if (!code) code = (int)curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
    if (!code) code = (int)curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
    if (!code) code = (int)curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
    if (!code) code = (int)curl_easy_setopt(easy, CURLOPT_PRIVATE, context);
    return code;
}

// Whether an address can only be this machine: 127.0.0.0/8, ::1, ::ffff:127.0.0.0/104.
static inline int ccurl_is_loopback(const struct sockaddr *address) {
    if (address->sa_family == AF_INET) {
        struct sockaddr_in v4;
        memcpy(&v4, address, sizeof v4);
        return (ntohl(v4.sin_addr.s_addr) >> 24) == 127;
    }
    if (address->sa_family == AF_INET6) {
        struct sockaddr_in6 v6;
        memcpy(&v6, address, sizeof v6);
        return IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr)
            || (IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr) && v6.sin6_addr.s6_addr[12] == 127);
    }
    return 0;
}
// Whether an address is on a private network: RFC 1918, RFC 4193, or this machine. Not
// 169.254.0.0/16 and fe80::/10, where clouds hand out credentials, and not 100.64.0.0/10, which a
// provider's customers share.
static inline int ccurl_is_private(const struct sockaddr *address) {
    uint32_t v4 = 0;
    if (ccurl_is_loopback(address)) return 1;
    if (address->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, address, sizeof in);
        v4 = ntohl(in.sin_addr.s_addr);
    } else if (address->sa_family == AF_INET6) {
        struct sockaddr_in6 in6;
        memcpy(&in6, address, sizeof in6);
        const uint8_t *octets = in6.sin6_addr.s6_addr;
        if (!IN6_IS_ADDR_V4MAPPED(&in6.sin6_addr)) return (octets[0] & 0xfe) == 0xfc;
        memcpy(&v4, octets + 12, sizeof v4);
        v4 = ntohl(v4);
    } else {
        return 0;
    }
    return v4 >> 24 == 10 || v4 >> 20 == 0xac1 || v4 >> 16 == 0xc0a8;
}
// Whether a socket to an address may be opened. `reach` is 0 for anywhere, 1 for this machine only, 2 for private addresses.
static inline int ccurl_is_within(const struct sockaddr *address, int reach) {
    if (reach == 0) return 1;
    return reach == 2 ? ccurl_is_private(address) : ccurl_is_loopback(address);
}
// A child that this process starts inherits no connection; with libcurl's own sockets it would.
static inline int ccurl_socket_open(const struct curl_sockaddr *address, int reach) {
    if (!ccurl_is_within(&address->addr, reach)) {
        errno = EACCES;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}
static inline int ccurl_socket_none(void) {
    errno = ECANCELED;
    return CURL_SOCKET_BAD;
}
static inline int ccurl_socket_close(int descriptor) { return close(descriptor); }
// Ends the connection at once for the thread that reads or writes there; the descriptor stays open. If the peer goes on sending, it gets
// a reset.
static inline void ccurl_socket_shut(int descriptor) { shutdown(descriptor, SHUT_RDWR); }
static inline int ccurl_set_sockets(
    void *easy, curl_opensocket_callback open, curl_closesocket_callback close, void *context) {
    int code = (int)curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open);
    if (!code) code = (int)curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
    if (!code) code = (int)curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close);
    if (!code) code = (int)curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context);
    return code;
}
static inline int ccurl_set_place(void *easy, int is_encrypted) {
    int code = 0;
#if LIBCURL_VERSION_NUM >= 0x075500
    const char *protocol = is_encrypted ? "https" : "http";
    if (!code) code = (int)curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, protocol);
    // The list cannot be empty. It does not matter, because no redirect is followed.
    if (!code) code = (int)curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "https");
#else
    if (!code) code = (int)curl_easy_setopt(
        easy, CURLOPT_PROTOCOLS, (long)(is_encrypted ? CURLPROTO_HTTPS : CURLPROTO_HTTP));
    if (!code) code = (int)curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS, 0L);
#endif
    return code;
}
// Makes libcurl not wait for a look-up that was given up: a thread of libcurl's own finishes it. Releases before 7.87 wait.
static inline void ccurl_set_quick_exit(void *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)easy;
#endif
}

static inline void *ccurl_context(void *easy) {
    char *context = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_PRIVATE, &context) != CURLE_OK) return NULL;
    return context;
}

static inline void *ccurl_multi_new(long connections_a_host) {
    CURLM *multi = curl_multi_init();
    if (!multi) return NULL;
    if (curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, connections_a_host) != CURLM_OK) {
        curl_multi_cleanup(multi);
        return NULL;
    }
    return multi;
}
static inline void ccurl_multi_free(void *multi) { curl_multi_cleanup(multi); }
static inline int ccurl_multi_add(void *multi, void *easy) { return (int)curl_multi_add_handle(multi, easy); }
static inline int ccurl_multi_remove(void *multi, void *easy) { return (int)curl_multi_remove_handle(multi, easy); }
static inline int ccurl_multi_perform(void *multi) {
    int running = 0;
    return (int)curl_multi_perform(multi, &running);
}
// Waits for libcurl's connections, its timers and `descriptor`.
static inline int ccurl_multi_poll(void *multi, int descriptor, int milliseconds) {
    struct curl_waitfd more = {.fd = descriptor, .events = CURL_WAIT_POLLIN, .revents = 0};
    return (int)curl_multi_poll(multi, &more, 1, milliseconds, NULL);
}
// The next transfer that has ended, with libcurl's code; NULL when there is none.
static inline void *ccurl_multi_next(void *multi, int *code) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *code = (int)message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

// Wakes the thread. Not by curl_multi_wakeup, which does not report it when no descriptor was left for it.
static inline int ccurl_wake_new(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
static inline void ccurl_wake_free(int descriptor) { close(descriptor); }
static inline void ccurl_wake(int descriptor) {
    uint64_t one = 1;
    // It fails only if the thread has been woken 2^64 - 1 times without looking.
    ssize_t ignored = write(descriptor, &one, sizeof one);
    (void)ignored;
}
static inline void ccurl_wake_taken(int descriptor) {
    uint64_t count;
    ssize_t ignored = read(descriptor, &count, sizeof count);
    (void)ignored;
}

static inline void ccurl_pause(int milliseconds) { poll(NULL, 0, milliseconds); }
// Never returns: the process is ending.
static inline void ccurl_park(void) {
    for (;;) pause();
}
static inline int ccurl_at_exit(void (*run)(void)) { return atexit(run); }

// Starts a detached thread that takes no signals: the application's handlers run on the application's threads, and a broken connection is
// an error code and no SIGPIPE. Threads that it starts itself (for libcurl's look-ups) inherit this.
#ifndef _GNU_SOURCE
int pthread_setname_np(pthread_t thread, const char *name);
#endif
static inline void ccurl_thread_named(void) { pthread_setname_np(pthread_self(), "signet-curl"); }
static inline int ccurl_thread_start(void *(*run)(void *context), void *context) {
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t most, before;
    int code = pthread_attr_init(&attributes);
    if (code) return code;
    sigfillset(&most);
    // The thread itself causes these signals.
    sigdelset(&most, SIGSEGV);
    sigdelset(&most, SIGBUS);
    sigdelset(&most, SIGFPE);
    sigdelset(&most, SIGILL);
    sigdelset(&most, SIGTRAP);
    sigdelset(&most, SIGABRT);
    sigdelset(&most, SIGSYS);
    code = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (!code) code = pthread_sigmask(SIG_SETMASK, &most, &before);
    if (!code) {
        code = pthread_create(&thread, &attributes, run, context);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    pthread_attr_destroy(&attributes);
    return code;
}

#endif
