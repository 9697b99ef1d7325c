/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a testcase defines, and what it may use.
 *
 * A testcase is one file in tests/ that nothing else names: the runner finds its functions by
 * name at link time. Required are testcase_description and testcase(); everything else is
 * optional. Testcases written for will-it-scale compile unchanged. doc/testcases.md makes one.
 *
 * The working directory of a testcase is a scratch directory of its own, on the filesystem that
 * the user chose (--dir) or that the facts ask for (needs.fs): use relative names. The runner
 * removes it afterwards, whatever happens.
 */
#ifndef KNEE_TESTCASE_H
#define KNEE_TESTCASE_H

#include <errno.h>
#include <sys/types.h>

/* One line for people: title of the plot, first line of the output. No ':' in it. */
extern char *testcase_description;

/*
 * The measured loop: never returns (a return fails the cell). Adds 1 to *@iterations, with
 * count(), after each operation. @nr is the task's index, 0 to nr_tasks - 1. Runs in a process
 * of its own, or in one thread of a process that all tasks share.
 */
void testcase(unsigned long long *iterations, unsigned long nr);

/* Before any task exists, in the process that all tasks descend from: their common objects. */
void testcase_prepare(unsigned long nr_tasks);

/* After every task is dead, in the process that ran testcase_prepare(). */
void testcase_cleanup(void);

/*
 * A partner for the calling task, of the task's own kind: a thread in threads mode, else a
 * process. Runs @func(@arg), which must not return, on the task's CPU; dies with the task.
 */
void new_task(void *(func)(void *), void *arg);

/*
 * The facts about a testcase, as data. Lists are words separated by blanks. An amount is a
 * number with an optional suffix K, M or G (powers of 1024), the name of a parameter, or
 * PARAMETER=VALUE: 1 where the parameter has that value, else 0.
 */
enum testcase_sharing {
	SHARING_UNSTATED,
	SHARING_PRIVATE,	/* each task works on an object of its own */
	SHARING_SHARED,		/* all tasks work on the same object */
	SHARING_DISJOINT,	/* each task works on its own part of one object */
};

enum testcase_mode {
	MODE_PROCESSES = 1,
	MODE_THREADS = 2,
};

struct testcase_syscall {
	const char *name;
	double per_op;		/* calls per counted operation, with default parameters and
				   pages of 4 KiB */
};

struct testcase_param {
	const char *name;
	const char *value;	/* the default; a parameter whose default is a number or an
				   amount takes numbers and amounts, any other one takes words */
	const char *min;	/* amounts: smallest and largest value accepted; NULL: 1, no limit */
	const char *max;
	const char *choices;	/* words accepted; NULL: any */
	const char *doc;
};

struct testcase_needs {
	const char *memory;	/* bytes a task, page cache included */
	const char *descriptors;	/* open files a task */
	const char *files;	/* names in the scratch directory a task */
	const char *disk;	/* bytes in the scratch directory a task */
	const char *partners;	/* processes or threads made by new_task() a task */
	const char *groups;	/* memory cgroups a task: see GROUP_TOP */
	const char *control;	/* a control file that these must have, e.g. "high": see group_open() */
	const char *sysv_queues;	/* 1: a System V message queue a task: see task_sysv_queue() */
	const char *posix_queues;	/* 1: a POSIX message queue a task: see task_posix_queue() */
	const char *fs;		/* "tmpfs" (found in /dev/shm if --dir is none), "disk" (not in
				   memory), "direct" (on a disk, with O_DIRECT) */
	const char *nodes;	/* nodes with memory, in all: "2" */
	const char *controller;	/* cgroup controller, e.g. "memory" */
	const char *capability;	/* e.g. "CAP_SYS_ADMIN" */
	const char *kernel;	/* oldest kernel, e.g. "5.14" */
};

/* A figure of its own that a testcase reports beside its rate: see figure_add(). */
struct testcase_figure {
	const char *name;	/* with its unit: "latency_ns" */
	const char *doc;
};

struct testcase_info {
	const char *unit;	/* what one operation is: "mmap + munmap of 128 MiB" */
	const char *tags;	/* of: mm vfs ipc net sched memcg lock user */
	const char *suites;	/* that it belongs to, of: will-it-scale quick */
	const char *exercises;	/* syscalls and kernel functions on the path */
	const char *contends;	/* locks and counters expected to limit it */
	enum testcase_sharing sharing_processes;
	enum testcase_sharing sharing_threads;
	unsigned int modes;	/* of enum testcase_mode; 0: both */
	_Bool prepares;		/* tasks make files or the like before they count: the warm-up
				   begins when each has counted once */
	struct testcase_syscall syscalls[8];
	struct testcase_needs needs;
	struct testcase_param params[8];
	struct testcase_figure figures[4];
	const char *notes;	/* what a reader of the figure must know */
};

extern const struct testcase_info testcase_info;

/*
 * The value of a parameter that the facts declare: as a number (amounts in bytes), as text.
 * Any other name ends the testcase. Read them before the hot loop.
 */
unsigned long long param(const char *name);
const char *param_text(const char *name);

/*
 * An open file of @size bytes in the scratch directory, without a name, written through (its
 * pages are in the page cache); the same without its pages (sparse). Never fails (see must).
 */
int temp_file(off_t size);
int temp_file_sparse(off_t size);

/*
 * A name in the scratch directory for task @nr: "@stem.@nr". In @buf, which it returns; buf
 * holds TASK_PATH_MAX bytes.
 */
#define TASK_PATH_MAX 64
char *task_path(char *buf, const char *stem, unsigned long nr);

/*
 * The paths of @files files in the scratch directory, "tree.@nr/...", each below @depth more
 * directories: in the order of a walk, up to TREE_FANOUT entries in a directory, as many as it
 * takes in the top one. file_tree_make_directories() makes the directories,
 * file_tree_make_files() the empty files. None of them fails.
 */
#define TREE_FANOUT 64
struct file_tree {
	size_t files;
	unsigned int depth;
	char (*paths)[TASK_PATH_MAX];
};
struct file_tree file_tree_paths(unsigned long nr, size_t files, unsigned int depth);
void file_tree_make_directories(const struct file_tree *tree);
void file_tree_make_files(const struct file_tree *tree);

/* All three. */
struct file_tree file_tree_make(unsigned long nr, size_t files, unsigned int depth);

/*
 * The one file that all tasks share: shared_file() makes it in testcase_prepare(), @size bytes
 * written through; open_shared_file() gives each task a descriptor of its own (@flags of open).
 * Neither fails.
 */
#define SHARED_FILE "shared"
void shared_file(off_t size);
int open_shared_file(int flags);

/*
 * One value of a figure that the facts declare, for operations that are worth it: it looks up the
 * name and the clock. Of the values given in the measured window by all tasks, the record has
 * number, sum, minimum, median, 99th percentile and maximum. @nr is the task's index.
 */
void figure_add(unsigned long nr, const char *name, double value);

/* Nanoseconds of CLOCK_MONOTONIC, for figures that are times. */
unsigned long long time_ns(void);

/*
 * Memory cgroups of the cell's own, under v1 and v2 alike; the facts must state needs.groups. A
 * group is a descriptor. GROUP_TOP holds the groups of the cell, and no process; the runner makes
 * it below the cell's own group, or where v2 allows, and removes it with all that is in it.
 *
 * group_make() and task_group() (named after the task) make a group; group_enter() moves the
 * calling process, with all its threads: what it allocates from then on is charged there, and
 * thereafter no group can be made below (v2). group_open() opens a control file, by a word for
 * both versions: procs usage limit high stat empty drain (memcg.h). None of them fails.
 */
#define GROUP_TOP (-1)
int group_make(int parent, const char *name);
int task_group(int parent, unsigned long nr);
void group_enter(int group);
int group_open(int group, const char *word, int flags);
unsigned long long group_usage(int group);

/*
 * Each returns 0, or -1 and errno. group_set() writes a number of bytes, or no limit.
 * group_empty() reclaims what can be reclaimed (memory.force_empty, memory.reclaim); what is left
 * is no error. group_drain() makes all CPUs give back what they hold charged in advance for the
 * group and those below it, by a limit below its usage, which also tries to reclaim; the group must
 * have processes in or below it. On v1 only: the facts must state needs.control "drain".
 */
#define GROUP_UNLIMITED (~0ULL)
int group_set(int group, const char *word, unsigned long long bytes);
int group_empty(int group);
int group_drain(int group);

/*
 * A message queue for task @nr, which the runner removes: the ID of a System V queue; the
 * descriptor of a POSIX queue without a name, for @messages of at most @bytes, not blocking. The
 * facts must state needs.sysv_queues or needs.posix_queues. Neither fails.
 */
int task_sysv_queue(unsigned long nr);
int task_posix_queue(unsigned long nr, long messages, long bytes);

/*
 * For buffers that the kernel copies to or from: always the same place in a page. Elsewhere the
 * environment's size decides it, and a read to an unlucky place (16 bytes into a page) takes
 * nearly four times as long.
 */
#define IO_BUFFER __attribute__((aligned(4096)))

/*
 * A mutex alone on its page, made in testcase_prepare(): one for all threads, while each process
 * gets a copy of its own; with @pshared, one for all tasks in both modes. Never fails.
 */
pthread_mutex_t *common_mutex(int pshared);

/*
 * The kernel's number of a memory node: "local", that of the calling task's CPU; "far", the most
 * distant one from there by the SLIT; "lowest"; or a number. What this machine does not have ends
 * the cell as lacking.
 */
#define NODE_DOC "local, far, lowest, or the number of a node"
int memory_node(const char *which);

/* Memory that will come from @node alone, once it is touched: mmap and mbind. Never fails. */
void *map_on_node(size_t bytes, int node);

/*
 * One more operation is done. The store is volatile: no compiler delays it, gathers several or
 * removes a loop that does nothing else.
 */
static inline void count(unsigned long long *iterations)
{
	*(volatile unsigned long long *)iterations += 1;
}

/* Not for direct use: says what failed, with errno, and ends the task (or the preparation). */
_Noreturn void testcase_fail(const char *file, int line, const char *expr, int error)
	__attribute__((cold));

/* Ends the task, or the preparation: this machine lacks what the testcase needs, which @why says. */
_Noreturn void testcase_lacks(const char *why) __attribute__((cold));

/*
 * must(@expr): the expression holds, or the cell fails, naming testcase, task, place, expression
 * and errno. Never compiled out. must_zero(@call): the same for functions that return an error
 * number (pthread_*), which it must be 0.
 */
#define must(expr)                                                                      \
	do {                                                                            \
		if (__builtin_expect(!(expr), 0))                                       \
			testcase_fail(__FILE__, __LINE__, #expr, errno);                \
	} while (0)

#define must_zero(call)                                                                 \
	do {                                                                            \
		int error_ = (call);                                                    \
		if (__builtin_expect(error_ != 0, 0))                                   \
			testcase_fail(__FILE__, __LINE__, #call, error_);               \
	} while (0)

#endif
