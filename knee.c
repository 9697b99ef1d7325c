/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * knee, the front command: `knee NAME ...` becomes the program that does it. Those lie where this
 * one lies, in libexec/knee-NAME; a command is a line of the table below.
 */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build_info.h"
#include "msg.h"
#include "near.h"

static const struct command {
	const char *name, *program, *doc;
} commands[] = {
	{ "runtest", "runtest", "measure testcases over numbers of tasks, in rounds" },
	{ "summary", "libexec/knee-summary", "print the table of a run" },
	{ "scaling", "libexec/knee-scaling", "say how rates scale, and by which law" },
	{ "counters", "libexec/knee-counters", "print a run's counters as perf stat does" },
	{ "profile", "libexec/knee-profile", "print the hottest functions of a run's extra rounds" },
	{ "trace", "libexec/knee-trace", "print the times inside kernel functions" },
	{ "why", "libexec/knee-why", "say why curves bend" },
	{ "compare", "libexec/knee-compare", "say what changed from one run to others" },
	{ "effect", "libexec/knee-effect", "say what the levels of a factor do" },
	{ "figures", "libexec/knee-figures", "print what testcases measure beside their rates" },
	{ "overhead", "libexec/knee-overhead", "print the overhead of kernel-memory accounting" },
	{ "plot", "libexec/knee-plot", "draw pictures of a run" },
};

#define NR_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static const struct command *find(const char *name)
{
	for (size_t i = 0; i < NR_COMMANDS; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

static int say_unknown(const char *word)
{
	const char *names[NR_COMMANDS];
	char near[NEAR_TEXT_MAX];

	for (size_t i = 0; i < NR_COMMANDS; i++)
		names[i] = commands[i].name;
	near_names(near, word, names, NR_COMMANDS);
	msg_error("there is no command '%s'%s%s (knee help)", word, near[0] ? "; near it: " : "",
		  near);
	return EXIT_USAGE;
}

static int print_help(void)
{
	puts("Usage: knee COMMAND [ARGUMENT...]\n"
	     "Measures how operating-system operations scale, and says where they stop.\n");
	for (size_t i = 0; i < NR_COMMANDS; i++)
		printf("  %-12s%s\n", commands[i].name, commands[i].doc);
	puts("  help        print this help, or that of a command\n\n"
	     "knee COMMAND --help, or knee help COMMAND, tells more.");
	return fflush(stdout) == 0 ? EXIT_MEASURED : EXIT_CELL_FAILED;
}

static int print_version(void)
{
	printf("knee %s\n", build_version);
	return fflush(stdout) == 0 ? EXIT_MEASURED : EXIT_CELL_FAILED;
}

/* The directory of this program, whatever links led to it. */
static char *own_dir(void)
{
	char *path = realpath("/proc/self/exe", NULL), *slash = path ? strrchr(path, '/') : NULL;

	if (slash)
		*slash = '\0';
	return path;
}

/* Its messages are headed by "knee NAME". Returns only if it cannot be run. */
static int become(const struct command *command, char **argv)
{
	char path[PATH_MAX + 64], name[64], *dir = own_dir();
	int err = errno;

	snprintf(path, sizeof(path), "%s/%s", dir ? dir : "", command->program);
	snprintf(name, sizeof(name), "knee %s", command->name);
	if (dir) {
		argv[0] = name;
		execv(path, argv);
		err = errno;
	}
	free(dir);
	msg_error("%s: %s", path, strerror(err));
	return err == ENOENT ? EXIT_LACKING : EXIT_CELL_FAILED;
}

static int help(int argc, char **argv)
{
	char *asked[] = { NULL, (char *)"--help", NULL };
	const struct command *command;

	if (argc < 3)
		return print_help();
	command = find(argv[2]);
	return command ? become(command, asked) : say_unknown(argv[2]);
}

static bool is(const char *arg, const char *a, const char *b)
{
	return strcmp(arg, a) == 0 || strcmp(arg, b) == 0;
}

int main(int argc, char **argv)
{
	const struct command *command;

	msg_init("knee");
	if (argc < 2) {
		msg_error("a command is missing (knee help)");
		return EXIT_USAGE;
	}
	if (is(argv[1], "help", "--help") || is(argv[1], "-h", "-?"))
		return help(argc, argv);
	if (is(argv[1], "version", "--version"))
		return print_version();
	command = find(argv[1]);
	return command ? become(command, argv + 1) : say_unknown(argv[1]);
}
