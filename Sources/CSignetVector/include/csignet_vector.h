// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#ifndef CSIGNET_VECTOR_H
#define CSIGNET_VECTOR_H

#include <stddef.h>
#include <stdint.h>

/// Whether this processor has what the functions below are written for. Where it has not, they do nothing.
int csignet_has_vectors(void);

/// Reads whole blocks of 32 characters of base64 without white space as 24 bytes each, as long as each character of a
/// block belongs to the alphabet whose last two characters are given, and as long as there is room for the block and four
/// bytes behind it, which may be written over.
///
/// Returns how many blocks were read. The caller reads the rest, and finds what is wrong there if anything is.
size_t csignet_base64_decode_blocks(
    const uint8_t *text, size_t text_count, uint8_t *bytes, size_t bytes_count, char character62, char character63);

/// Writes blocks of 24 bytes as 32 characters each, as long as four more bytes can be read behind a block and there is room
/// for its characters.
///
/// Returns how many blocks were written.
size_t csignet_base64_encode_blocks(
    const uint8_t *bytes, size_t bytes_count, uint8_t *text, size_t text_count, char character62, char character63);

#endif
