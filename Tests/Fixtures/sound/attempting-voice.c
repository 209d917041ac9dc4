/* Plays the part of a compromised speech program. The language argument is a list of attempts of CSandbox/attempts.c,
   separated by commas. The program tries each one and prints the result. */
#include <fcntl.h>
#include <sandbox.h>
#include <stdio.h>
#include <string.h>

int main(int count, char **words) {
  char *what = "";
  for (int i = 1; i + 1 < count; i++)
    if (!strcmp(words[i], "-v")) what = words[i + 1];
  if (!strcmp(what, "descriptors")) {
    printf("descriptors:");
    for (int number = 0; number < 4096; number++)
      if (fcntl(number, F_GETFD) >= 0) printf(" %d", number);
    printf("\n");
    return 0;
  }
  for (char *name = strtok(what, ","); name; name = strtok(NULL, ",")) {
    int error = prompter_sandbox_try(name);
    if (error)
      printf("%s: refused: %s\n", name, strerror(error));
    else
      printf("%s: allowed\n", name);
    fflush(stdout);
  }
  return 0;
}
