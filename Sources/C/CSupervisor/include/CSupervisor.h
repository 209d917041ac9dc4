/* Runs the command of a contact, and kills every process that the command leaves behind. */
#ifndef PROMPTER_SUPERVISOR_H
#define PROMPTER_SUPERVISOR_H

/* The first argument of a program that is to be a supervisor: `PROGRAM ARGUMENT SECONDS COMMAND…`. A program that is
   linked with this module and gets this argument never reaches its main function. */
const char *prompter_supervisor_argument(void);

#endif
