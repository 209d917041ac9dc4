/* Expands recurrence rules with libical, for comparison.
 *
 * Reads lines "RULE<TAB>START<TAB>COUNT" (START as 19970902T090000, a floating time). Writes a line for
 * each: the first COUNT times separated by spaces, or "!" and a reason.
 *
 *   cc -O2 -o libical_oracle libical_oracle.c -lical
 */
#define _GNU_SOURCE
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    icalerror_set_errors_are_fatal(0);
    while (getline(&line, &size, stdin) > 0) {
        line[strcspn(line, "\n")] = 0;
        char *rest = line;
        char *rule_text = strsep(&rest, "\t");
        char *start_text = strsep(&rest, "\t");
        int count = rest ? atoi(rest) : 0;
        if (!rule_text || !start_text || count < 1) {
            puts("! bad line");
            fflush(stdout);
            continue;
        }
        struct icalrecurrencetype rule = icalrecurrencetype_from_string(rule_text);
        struct icaltimetype start = icaltime_from_string(start_text);
        icalrecur_iterator *iterator = icalrecur_iterator_new(rule, start);
        if (!iterator) {
            puts("! refused");
            fflush(stdout);
            continue;
        }
        for (int i = 0; i < count; i++) {
            struct icaltimetype time = icalrecur_iterator_next(iterator);
            if (icaltime_is_null_time(time) || time.year > 2080)
                break;
            printf("%s%04d%02d%02dT%02d%02d%02d", i ? " " : "", time.year, time.month, time.day,
                   time.hour, time.minute, time.second);
        }
        putchar('\n');
        fflush(stdout);
        icalrecur_iterator_free(iterator);
    }
    free(line);
    return 0;
}
