/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the harness is compared with: loops with nothing around them.
 *
 *	bare loop OP shared|register SECONDS CPU	prints ns per operation
 *	bare start processes|threads N			prints seconds from main() to the gate
 *
 * "shared" counts in shared memory, as a testcase does, and is sampled from another process;
 * "register" counts in a register and looks at the clock every 2^14 operations.
 */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void bind_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) != 0)
		perror("sched_setaffinity");
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#define OP_getppid getppid()
#define OP_mutex (pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex))
#define OP_malloc                                  \
	({                                         \
		void *p_ = malloc(1024);           \
		__asm__ volatile("" : "+r"(p_));   \
		free(p_);                          \
	})

#define LOOPS(op)                                                                \
	static void shared_##op(volatile unsigned long long *count)              \
	{                                                                        \
		for (;;) {                                                       \
			OP_##op;                                                 \
			*count += 1;                                             \
		}                                                                \
	}                                                                        \
	static double register_##op(double seconds)                              \
	{                                                                        \
		double begin = now(), end;                                       \
		unsigned long long n = 0;                                        \
                                                                                 \
		do {                                                             \
			for (int i = 0; i < 1 << 14; i++) {                      \
				OP_##op;                                         \
				__asm__ volatile("" : "+r"(i));                  \
			}                                                        \
			n += 1 << 14;                                            \
			end = now();                                             \
		} while (end - begin < seconds);                                 \
		return (end - begin) / (double)n * 1e9;                          \
	}

LOOPS(getppid)
LOOPS(mutex)
LOOPS(malloc)

static const struct {
	const char *name;
	void (*shared)(volatile unsigned long long *count);
	double (*in_register)(double seconds);
} ops[] = {
	{ "getppid", shared_getppid, register_getppid },
	{ "mutex", shared_mutex, register_mutex },
	{ "malloc", shared_malloc, register_malloc },
};

static double sample_shared(void (*loop)(volatile unsigned long long *), double seconds, int cpu)
{
	volatile unsigned long long *count = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
						  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned long long first, last;
	pid_t pid = fork();
	double begin, end;

	if (pid == 0) {
		bind_to(cpu);
		loop(count);
	}
	usleep(50000);
	begin = now();
	first = *count;
	usleep((useconds_t)(seconds * 1e6));
	end = now();
	last = *count;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return (end - begin) / (double)(last - first) * 1e9;
}

static int loop(char **argv)
{
	double seconds = atof(argv[2]);
	int cpu = atoi(argv[3]);

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		if (strcmp(ops[i].name, argv[0]) != 0)
			continue;
		if (strcmp(argv[1], "shared") == 0) {
			printf("%.4f\n", sample_shared(ops[i].shared, seconds, cpu));
		} else {
			bind_to(cpu);
			printf("%.4f\n", ops[i].in_register(seconds));
		}
		return 0;
	}
	return 2;
}

/* ---- start: fork or thread, bind, futex gate ------------------------------------------------ */

static struct {
	uint32_t ready, gate;
} *control;
static unsigned long nr;

static void wait_at_gate(unsigned long task)
{
	bind_to((int)(task % (unsigned long)sysconf(_SC_NPROCESSORS_ONLN)));
	if (__atomic_add_fetch(&control->ready, 1, __ATOMIC_ACQ_REL) == nr)
		syscall(SYS_futex, &control->ready, FUTEX_WAKE, 1, NULL, NULL, 0);
	for (;;)
		syscall(SYS_futex, &control->gate, FUTEX_WAIT, 0, NULL, NULL, 0);
}

static void *thread(void *arg)
{
	wait_at_gate((unsigned long)(uintptr_t)arg);
	return NULL;
}

static int start(char **argv)
{
	double begin = now();
	uint32_t ready;

	nr = strtoul(argv[1], NULL, 10);
	control = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	signal(SIGTERM, SIG_DFL);
	setpgid(0, 0);
	for (unsigned long i = 0; i < nr; i++) {
		pthread_t t;

		if (strcmp(argv[0], "threads") == 0)
			errno = pthread_create(&t, NULL, thread, (void *)(uintptr_t)i);
		else if (fork() == 0)
			wait_at_gate(i);
	}
	while ((ready = __atomic_load_n(&control->ready, __ATOMIC_ACQUIRE)) < nr)
		syscall(SYS_futex, &control->ready, FUTEX_WAIT, ready, NULL, NULL, 0);
	printf("%.4f\n", now() - begin);
	fflush(stdout);
	signal(SIGTERM, SIG_IGN);
	if (strcmp(argv[0], "processes") == 0)
		kill(0, SIGTERM);
	while (wait(NULL) > 0 || errno == EINTR)
		;
	_exit(0);
}

int main(int argc, char **argv)
{
	if (argc == 6 && strcmp(argv[1], "loop") == 0)
		return loop(argv + 2);
	if (argc == 4 && strcmp(argv[1], "start") == 0)
		return start(argv + 2);
	fprintf(stderr, "usage: see bare.c\n");
	return 2;
}
