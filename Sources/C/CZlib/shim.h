#include <zlib.h>

/// Prepares a stream for compression. The number 15 selects the largest window, and the added 16 selects the format of
/// gzip (RFC 1952).
///
/// `deflateInit2` and `inflateInit2` are macros, so Swift cannot call them.
static inline int prompter_deflate_begin(z_stream *stream) {
  return deflateInit2(stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

static inline int prompter_inflate_begin(z_stream *stream) {
  return inflateInit2(stream, 15 + 16);
}
