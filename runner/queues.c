/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "queues.h"

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <unistd.h>

#include "msg.h"
#include "testcase.h"

struct queue {
	key_t sysv_key;		/* 0: none */
	uint32_t has_posix;
};

/* A process runs one cell. */
static struct queue *queues;
static unsigned long nr_queues;
static char stem[64];		/* "/knee.XXXXXX" */

int queues_prepare(unsigned long nr, const char *scratch)
{
	queues = mmap(NULL, nr * sizeof(*queues), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (queues == MAP_FAILED) {
		queues = NULL;
		msg_error("no memory for the queues of %lu tasks", nr);
		return -ENOMEM;
	}
	nr_queues = nr;
	snprintf(stem, sizeof(stem), "%s", strrchr(scratch, '/'));
	return 0;
}

/* Another user's queue may have the key that was tried: only an own one is removed. */
static void remove_sysv(key_t key)
{
	int id = msgget(key, 0);
	struct msqid_ds info;

	if (id >= 0 && msgctl(id, IPC_STAT, &info) == 0 && info.msg_perm.cuid == geteuid())
		msgctl(id, IPC_RMID, NULL);
}

static char *posix_name(char buf[TASK_PATH_MAX], unsigned long nr)
{
	return task_path(buf, stem, nr);
}

void queues_remove(void)
{
	char name[TASK_PATH_MAX];

	for (unsigned long i = 0; i < nr_queues; i++) {
		if (queues[i].sysv_key)
			remove_sysv(queues[i].sysv_key);
		if (queues[i].has_posix)
			mq_unlink(posix_name(name, i));
	}
}

static struct queue *queue_of(unsigned long nr)
{
	must(queues && nr < nr_queues);
	return &queues[nr];
}

/* ---- for testcases -------------------------------------------------------------------------- */

int task_sysv_queue(unsigned long nr)
{
	struct queue *queue = queue_of(nr);
	int id = -1;

	for (errno = EEXIST; id < 0 && errno == EEXIST;) {
		key_t key;

		must(getrandom(&key, sizeof(key), 0) == sizeof(key));
		if (key == IPC_PRIVATE)
			continue;
		__atomic_store_n(&queue->sysv_key, key, __ATOMIC_SEQ_CST);
		id = msgget(key, IPC_CREAT | IPC_EXCL | 0600);
		if (id < 0)	/* whosever it is, it is not ours */
			__atomic_store_n(&queue->sysv_key, 0, __ATOMIC_SEQ_CST);
	}
	must(id >= 0);
	return id;
}

int task_posix_queue(unsigned long nr, long messages, long bytes)
{
	const struct mq_attr attr = { .mq_maxmsg = messages, .mq_msgsize = bytes };
	const int flags = O_RDWR | O_CREAT | O_EXCL | O_NONBLOCK | O_CLOEXEC;
	struct queue *queue = queue_of(nr);
	char name[TASK_PATH_MAX];
	int fd;

	__atomic_store_n(&queue->has_posix, 1, __ATOMIC_SEQ_CST);
	fd = mq_open(posix_name(name, nr), flags, 0600, &attr);
	must(fd >= 0);
	must(mq_unlink(name) == 0);
	return fd;
}
