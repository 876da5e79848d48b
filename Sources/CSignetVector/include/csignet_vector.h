// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#ifndef CSIGNET_VECTOR_H
#define CSIGNET_VECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether this processor has what the functions below are written for.
int csignet_has_vectors(void);

/// Reads whole blocks of 32 characters of base64 without white space as 24 bytes each, as long as each character of a
/// block belongs to the alphabet, of URLs and file names or the standard one, and as long as there is room for the block and
/// four bytes behind it, which may be written over.
///
/// Returns how many blocks were read, none without vectors. The caller reads the rest, and finds what is wrong there if anything
/// is.
size_t csignet_base64_decode_blocks(
    const uint8_t *text, size_t text_count, uint8_t *bytes, size_t bytes_count, bool is_url);

/// Writes blocks of 24 bytes as 32 characters each, as long as four more bytes can be read behind a block and there is room
/// for its characters.
///
/// Returns how many blocks were written, none without vectors.
size_t csignet_base64_encode_blocks(
    const uint8_t *bytes, size_t bytes_count, uint8_t *text, size_t text_count, bool is_url);

/// Writes one bit for each byte of a JSON text, the first one lowest: set where the byte is a quotation mark, a reverse solidus,
/// a control character or past ASCII, and for everything behind the end of the text. As many words as there are, of 64 bytes
/// each, up to the one that the end is in (all ones where a word ends there); those behind it are left as they are.
void csignet_json_marks(const uint8_t *text, size_t text_count, uint64_t *marks, size_t marks_count);

/// The same without vectors, as on processors that have none: for tests.
void csignet_json_marks_by_words(const uint8_t *text, size_t text_count, uint64_t *marks, size_t marks_count);

#endif
