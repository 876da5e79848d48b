// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
//
// The functions of ICU that ICUBridge calls. ICU renames each one by a macro that appends the number of its release
// (`uidna_openUTS46` is `uidna_openUTS46_72`), which Swift does not see: each wrapper here takes the name from the headers
// that it is compiled with, so that no number stands in this repository.
#ifndef CICU_SHIM_H
#define CICU_SHIM_H

#if __has_include(<unicode/uidna.h>)
#include <unicode/uchar.h>
#include <unicode/uidna.h>
#else
#error "ICU's headers are not here: package libicu-dev (Debian, Ubuntu) or libicu-devel (Fedora, RHEL). In Signet's own repository, make build does without them."
#endif

// Checked as strictly as ICU can: no transitional processing, STD3's letters, digits and hyphens, bidi, joiners in context.
static inline UIDNA *cicu_open_uts46(UErrorCode *error) {
    return uidna_openUTS46(
        UIDNA_USE_STD3_RULES | UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII |
            UIDNA_NONTRANSITIONAL_TO_UNICODE,
        error);
}

static inline void cicu_close(UIDNA *idna) {
    uidna_close(idna);
}

// The initializer of UIDNAInfo is a macro with braces. What a name is refused for is the union of its bits.
static inline int32_t cicu_name_to_ascii(
    const UIDNA *idna, const char *name, int32_t length, char *result, int32_t capacity, uint32_t *problems,
    UErrorCode *error) {
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    int32_t count = uidna_nameToASCII_UTF8(idna, name, length, result, capacity, &info, error);
    *problems = info.errors;
    return count;
}

static inline void cicu_unicode_version(UVersionInfo version) {
    u_getUnicodeVersion(version);
}

// All zero for a code point that this version of Unicode does not assign.
static inline void cicu_age(UChar32 character, UVersionInfo version) {
    u_charAge(character, version);
}

static inline void cicu_library_version(UVersionInfo version) {
    u_getVersion(version);
}

#endif
