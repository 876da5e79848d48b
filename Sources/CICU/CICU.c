// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
//
// ICU renames each function by a macro that appends the number of its release (`uidna_openUTS46` is `uidna_openUTS46_72`). In C the
// names come from the installed headers, so this repository states no such number.

#if __has_include(<unicode/uidna.h>)
#include <unicode/uchar.h>
#include <unicode/uidna.h>
#else
#error "ICU's headers are not here: package libicu-dev (Debian, Ubuntu) or libicu-devel (Fedora, RHEL)."
#endif

#include "CICU.h"

const int32_t cicu_ok = U_ZERO_ERROR;
const int32_t cicu_buffer_overflow = U_BUFFER_OVERFLOW_ERROR;

cicu_processor *cicu_open_uts46(int32_t *status) {
    UErrorCode error = (UErrorCode)*status;
    UIDNA *opened = uidna_openUTS46(
        UIDNA_USE_STD3_RULES | UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII |
            UIDNA_NONTRANSITIONAL_TO_UNICODE,
        &error);
    *status = error;
    return (cicu_processor *)opened;
}

void cicu_close(cicu_processor *processor) {
    uidna_close((UIDNA *)processor);
}

// The initializer of UIDNAInfo is a macro with braces.
int32_t cicu_name_to_ascii(
    const cicu_processor *processor, const char *name, int32_t length, char *result, int32_t capacity, uint32_t *problems,
    int32_t *status) {
    UErrorCode error = (UErrorCode)*status;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    int32_t count = uidna_nameToASCII_UTF8((const UIDNA *)processor, name, length, result, capacity, &info, &error);
    *problems = info.errors;
    *status = error;
    return count;
}

void cicu_unicode_version(uint8_t *version) {
    u_getUnicodeVersion(version);
}

void cicu_library_version(uint8_t *version) {
    u_getVersion(version);
}

void cicu_age(int32_t character, uint8_t *version) {
    u_charAge(character, version);
}
