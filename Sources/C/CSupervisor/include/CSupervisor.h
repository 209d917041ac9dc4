/* Runs the command of a contact, and kills every process that the command leaves behind. */
#ifndef PROMPTER_SUPERVISOR_H
#define PROMPTER_SUPERVISOR_H

/* Returns the first argument that makes a program a supervisor: `PROGRAM ARGUMENT SECONDS COMMAND…`. If a program is
   linked with this module and its first argument is this text, the program never reaches its main function. */
const char *prompter_supervisor_argument(void);

#endif
