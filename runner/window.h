/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the machine and the kernel did during the measured window: read just before its first and
 * just after its last reading of the counters. Nothing is sampled in between.
 */
#ifndef KNEE_WINDOW_H
#define KNEE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "cpulist.h"
#include "tasks.h"

/* Tasks of which the kernel's counts are read; evenly spread over all tasks. */
#define WINDOW_TASKS_MAX 64

/* A figure that could not be had is negative. */
struct window_figures {
	double idle_pct;		/* of all CPUs' time, by /proc/stat */
	double cell_idle_pct;		/* of the time of the CPUs that the cell uses */
	double steal_pct;		/* the same: taken by the hypervisor */
	double other_pct;		/* the same: taken by processes that are not the cell's; the
					   kernel's softirq and RCU threads of these CPUs finish
					   what the cell began, and count as the cell's */
	double resolution_pct;		/* one clock tick of /proc/stat on one of the cell's CPUs */
	double context_switches_hz;	/* on all CPUs, by /proc/stat */
	double cell_mhz;		/* mean frequency of the cell's CPUs at the end */
	/* Of kernel_tasks tasks, without their partners, per operation that they counted: */
	unsigned long kernel_tasks;
	double page_faults_per_op;
	double voluntary_switches_per_op;
	double involuntary_switches_per_op;
	/* Where the time of these tasks went, by /proc/PID/schedstat: on a CPU, waiting for one, asleep. */
	double cpu_ns_per_op;
	double delay_ns_per_op;
	double sleep_ns_per_op;
};

struct window_edge {
	uint64_t time_ns;
	uint64_t idle, steal, busy;		/* ticks of the cell's CPUs */
	uint64_t all_idle, nr_cpus;
	uint64_t context_switches;
	int64_t own_ns;				/* CPU time of the tasks; -1: not known */
	uint64_t ops, page_faults, voluntary, involuntary;
	uint64_t cpu_ns, delay_ns;		/* of scheduled tasks */
	unsigned long scheduled;		/* tasks whose schedstat was read */
	unsigned long kernel_tasks;
};

struct window {
	const char *root;	/* of /proc and /sys */
	struct cpulist cpus;	/* of the cell: ascending, each once */
	struct cpulist helpers;	/* process IDs of these CPUs' softirq and RCU threads */
	struct window_edge begin;
};

/* @root: "" for this machine; a made-up /proc and /sys in tests. 0 or -ENOMEM. */
int window_begin(struct window *w, const char *root, const struct tasks *t);

/* Also frees @w. */
void window_end(struct window *w, const struct tasks *t, struct window_figures *f);

#endif
