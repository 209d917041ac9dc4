#include <gcrypt.h>

/// Initialises libgcrypt if libsystemd has not initialised it yet.
///
/// Call this function once, before any other function of libgcrypt.
///
/// The function gcry_control is variadic, so Swift cannot call it.
static inline void prompter_gcrypt_begin(void) {
  if (gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P)) return;
  gcry_check_version(0);
  gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
  gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
}
