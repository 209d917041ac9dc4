#include <gcrypt.h>

/// To be called once before anything else; libsystemd may have done it. gcry_control is variadic, which Swift
/// cannot call.
static inline void prompter_gcrypt_begin(void) {
  if (gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P)) return;
  gcry_check_version(0);
  gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
  gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
}
