/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages for people: one line each, on stderr, headed by the program's name. */
#ifndef KNEE_MSG_H
#define KNEE_MSG_H

/* Exit statuses of every knee program; 128 + n means ended by signal n. */
enum exit_status {
	EXIT_MEASURED = 0,	/* all measured */
	EXIT_CELL_FAILED = 1,	/* something failed; what was measured is kept */
	EXIT_USAGE = 2,		/* wrong usage */
	EXIT_LACKING = 3,	/* the machine lacks what was asked for */
	EXIT_REGRESSION = 4,	/* a comparison found a regression */
};

/*
 * First in main(). The name that heads each message: the last component of @argv0, which must stay
 * valid. Standard streams that are closed get descriptors that fail in the same way.
 */
void msg_init(const char *argv0);
const char *msg_program(void);

/*
 * One line, without a newline in @fmt: something failed, or something a reader must know. Line
 * breaks inside arguments (an argument of the user's, a file name) are shown as '?'.
 */
void msg_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void msg_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * The last thing that a program does with stdout: all that was printed must have arrived. Returns
 * EXIT_MEASURED, or EXIT_CELL_FAILED, said.
 */
int msg_close_stdout(void);

#endif
