// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
//
// The functions of ICU that ICUBridge calls, without any of ICU's types: Foundation brings its own
// ICU, and a program that imports both would see two definitions of each type.
#ifndef CICU_H
#define CICU_H

#include <stdint.h>

// An open UTS #46 processor.
typedef struct cicu_processor cicu_processor;

// ICU's numbers for "no error" and "the result does not fit" (UErrorCode). Errors are above the first, warnings below.
extern const int32_t cicu_ok;
extern const int32_t cicu_buffer_overflow;

// The processor checks as strictly as ICU can: no transitional processing; only STD3's letters, digits and hyphens; the
// rules for bidi and for joiners in context.
cicu_processor *cicu_open_uts46(int32_t *status);
void cicu_close(cicu_processor *processor);

// Sets a bit in `problems` for each reason to refuse the name.
int32_t cicu_name_to_ascii(
    const cicu_processor *processor, const char *name, int32_t length, char *result, int32_t capacity, uint32_t *problems,
    int32_t *status);

// Four numbers each. The age is all zeros for a code point that this version of Unicode does not assign.
void cicu_unicode_version(uint8_t *version);
void cicu_library_version(uint8_t *version);
void cicu_age(int32_t character, uint8_t *version);

#endif
