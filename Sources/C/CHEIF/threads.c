/* Makes libheif decode without threads.

   libheif 1.15 calls this function of libde265 for each HEVC picture, to start one thread. The sandbox of
   prompter-image allows no threads: the kernel would kill the program. This function replaces the function of libde265,
   because the dynamic linker searches the program first. libde265 decodes in the calling thread if it has no worker
   threads. ImagesTests decode HEIC pictures in the sandbox. If a version of libheif starts threads in another way,
   these tests fail. */
#include "CHEIF.h"

int de265_start_worker_threads(void *decoder, int threads);

int de265_start_worker_threads(void *decoder, int threads) {
  (void)decoder;
  (void)threads;
  return 0;
}
