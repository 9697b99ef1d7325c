/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a stack comes to, and how that grew. While a function that takes or gives back a lock is
 * open, what is innermost is part of it (spinning, sleeping, waking others): the outermost such
 * function names the cause.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "looks.h"
#include "words.h"

#define PATH_MAX_FRAMES 10

/* Beginnings of names; user space's without the C library's underscores. */
static const char *const locks[] = {
	"_raw_spin_lock", "_raw_spin_unlock_irq", "_raw_read_lock", "_raw_write_lock",
	"native_queued_spin_lock", "queued_", "__pv_queued", "osq_", "mutex_", "__mutex_", "rwsem_",
	"down_", "__down", "up_read", "up_write", "percpu_down", "percpu_rwsem", "rt_mutex",
	"futex_", "do_futex", "__x64_sys_futex", "__do_sys_futex", "lockref_", "pthread_mutex_",
	"pthread_rwlock_", "pthread_spin_", "lll_lock", "lll_unlock", "sem_wait",
	"posix_lock_", "flock_lock_", "locks_lock_", "do_lock_file_", "fcntl_setlk", "do_flock",
	"__x64_sys_flock", "__do_sys_flock",
};

static const char *const reclaims[] = {
	"try_to_free_",	 "do_try_to_free_", "shrink_node",  "shrink_slab",  "do_shrink_slab",
	"shrink_lruvec", "balance_pgdat",   "node_reclaim", "evict_folios",
};

/* Locks that have a name: by the function that takes them. */
static const struct named {
	const char *name;
	const char *lock; /* the lock function begins so; the second alternative may be NULL */
	const char *lock2;
	const char *callers;	/* blank-separated */
} named_locks[] = {
	{ "mmap_lock", "down_", "up_",
	  "vm_mmap_pgoff __vm_munmap do_user_addr_fault lock_mm_and_find_vma __do_sys_brk "
	  "__x64_sys_brk "
	  "do_mprotect_pkey do_madvise madvise_lock __do_sys_mremap __x64_sys_mremap "
	  "do_exc_page_fault "
	  "mmap_read_lock mmap_write_lock mmap_write_lock_killable do_page_fault ksys_mmap_pgoff" },
	{ "mmap_lock", "rwsem_", NULL,
	  "vm_mmap_pgoff __vm_munmap do_user_addr_fault lock_mm_and_find_vma" },
	{ "inode->i_rwsem", "down_", "up_",
	  "ext4_buffered_write_iter generic_file_write_iter open_last_lookups filename_create "
	  "do_unlinkat "
	  "shmem_file_write_iter vfs_fallocate ext4_file_write_iter xfs_ilock inode_lock "
	  "iterate_dir" },
	{ "file lock", "posix_lock_", "flock_lock_", NULL },
	{ "file lock", "locks_lock_", "do_lock_file_", NULL },
	{ "file lock", "fcntl_setlk", "do_flock", NULL },
	{ "file lock", "__x64_sys_flock", "__do_sys_flock", NULL },
	{ "file_lock_context->flc_lock", "_raw_spin_", NULL,
	  "posix_lock_inode flock_lock_inode locks_remove_posix fcntl_setlk "
	  "locks_get_lock_context" },
	{ "files_struct->file_lock", "_raw_spin_", NULL,
	  "alloc_fd close_fd file_close_fd fd_install put_unused_fd dup_fd __fget_files" },
	{ "mutex in user space", "pthread_mutex_", "lll_", NULL },
	{ "futex", "do_futex", "__x64_sys_futex", NULL },
	{ "futex", "futex_", "__do_sys_futex", NULL },
};

static bool begins(const char *name, const char *begin)
{
	return begin && strncmp(name, begin, strlen(begin)) == 0;
}

static bool begins_one_of(const char *name, const char *const *list, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (begins(name, list[i]))
			return true;
	return false;
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* "___pthread_mutex_lock", "__GI___pthread_mutex_lock": names of the C library's own. */
static const char *plain(const char *name, bool kernel)
{
	if (kernel)
		return name;
	while (*name == '_')
		name++;
	if (begins(name, "GI_"))
		name += 3;
	while (*name == '_')
		name++;
	return name;
}

struct frames {
	char names[128][STACKS_NAME_MAX];
	bool kernel[128];
	size_t nr;
};

/* From the innermost outwards; the scheduler's own are left out where the task sleeps. */
static void unfold(const char *folded, bool sleeps, struct frames *f)
{
	const char *at = folded + strlen(folded);

	f->nr = 0;
	while (f->nr < COUNT(f->names) &&
	       stacks_outwards(folded, &at, f->names[f->nr], &f->kernel[f->nr])) {
		if (sleeps && f->nr == 0 && stacks_is_scheduler(f->names[0]))
			continue;
		f->nr++;
	}
}

static bool is_lock(const struct frames *f, size_t i)
{
	return begins_one_of(plain(f->names[i], f->kernel[i]), locks, COUNT(locks));
}

static char *join(const struct frames *f, size_t from, size_t frames)
{
	char *text = NULL;
	size_t size, written = 0;
	FILE *out = open_memstream(&text, &size);

	for (size_t i = from; out && i < f->nr && written < frames; i++) {
		if (f->kernel[i] && stacks_is_entry(f->names[i]) && i > from)
			continue;
		fprintf(out, "%s%s", written++ ? " <- " : "", plain(f->names[i], f->kernel[i]));
	}
	return out && fclose(out) == 0 ? text : NULL;
}

static char *lock_name(const struct frames *f, size_t lock)
{
	const char *name = plain(f->names[lock], f->kernel[lock]);

	for (size_t i = 0; i < COUNT(named_locks); i++) {
		const struct named *n = &named_locks[i];

		if (!begins(name, n->lock) && !begins(name, n->lock2))
			continue;
		if (!n->callers || (lock + 1 < f->nr && words_have(n->callers, f->names[lock + 1])))
			return strdup(n->name);
	}
	return join(f, lock, 2);
}

/* The cause of a stack, named. 0 or -ENOMEM. */
static int judge(const struct frames *f, enum cause_kind *kind, char **name)
{
	size_t lock = f->nr, reclaim = f->nr;

	for (size_t i = 0; i < f->nr; i++) {
		if (is_lock(f, i))
			lock = i;
		if (f->kernel[i] && begins_one_of(f->names[i], reclaims, COUNT(reclaims)))
			reclaim = i;
	}
	if (lock < f->nr) {
		*kind = CAUSE_LOCK;
		*name = lock_name(f, lock);
	} else if (reclaim < f->nr) {
		*kind = CAUSE_RECLAIM;
		*name = strdup(f->names[reclaim]);
	} else {
		*kind = f->nr && f->kernel[0] ? CAUSE_KERNEL : CAUSE_USER;
		*name = strdup(f->nr ? f->names[0] : "?");
	}
	return *name ? 0 : -ENOMEM;
}

static struct cause *cause_of(struct growth *g, enum cause_kind kind, char *name)
{
	struct cause *causes;

	for (size_t i = 0; i < g->nr; i++)
		if (g->causes[i].kind == kind && strcmp(g->causes[i].name, name) == 0) {
			free(name);
			return &g->causes[i];
		}
	causes = reallocarray(g->causes, g->nr + 1, sizeof(*causes));
	if (!causes) {
		free(name);
		return NULL;
	}
	g->causes = causes;
	causes[g->nr] = (struct cause){ .kind = kind, .name = name };
	return &causes[g->nr++];
}

/* Of one profile; @many: the second one, whose paths are shown. */
static int add_stacks(struct growth *g, const struct stacks *s, double per_op, double per_sample,
		      bool sleeps, bool many)
{
	struct frames *f = malloc(sizeof(*f));
	const char *folded;
	json_t *value;
	int err = f ? 0 : -ENOMEM;

	json_object_foreach(s->weights, folded, value) {
		double weight = json_real_value(value);
		enum cause_kind kind;
		struct cause *c;
		char *name;

		if (err)
			break;
		unfold(folded, sleeps, f);
		err = judge(f, &kind, &name);
		c = err ? NULL : cause_of(g, kind, name);
		if (!c) {
			err = -ENOMEM;
			break;
		}
		*(many ? &c->b : &c->a) += weight * per_op;
		*(many ? &c->samples_b : &c->samples_a) += weight / per_sample;
		if (many && weight > c->path_weight) {
			free(c->path);
			c->path = join(f, 0, PATH_MAX_FRAMES);
			c->path_weight = weight;
		}
	}
	free(f);
	return err;
}

/* A profile is of some tasks only; its operations are those of all. */
static double per_operation(const struct look *look)
{
	double tasks = json_number_value(json_object_get(look->seen, "tasks"));

	return look->ops > 0 && tasks > 0 ? (double)look->cell->tasks / tasks / look->ops : 0;
}

static int by_growth(const void *x, const void *y)
{
	const struct cause *c = x, *d = y;
	double a = c->b - c->a, b = d->b - d->a;

	if (a != b)
		return a > b ? -1 : 1;
	return strcmp(c->name, d->name);
}

static double samples_of(const struct look *look, const char *what)
{
	return json_number_value(json_object_get(json_object_get(look->seen, what), "samples"));
}

int growth_make(struct growth *g, const struct looks *l, const struct look *few,
		const struct look *many, const char *what)
{
	const struct look *const both[] = { few, many };
	bool sleeps = strcmp(what, "sleeps") == 0;
	int err = 0;

	*g = (struct growth){ 0 };
	for (size_t i = 0; !err && i < 2; i++) {
		struct stacks s;
		double samples;

		err = looks_stacks(l, both[i], what, &s);
		if (err)
			break;
		samples = samples_of(both[i], what);
		err = add_stacks(g, &s, per_operation(both[i]), samples > 0 ? s.total / samples : 1,
				 sleeps, i == 1);
		*(i ? &g->b : &g->a) = s.total * per_operation(both[i]);
		*(i ? &g->samples_b : &g->samples_a) = samples;
		stacks_free(&s);
	}
	if (err)
		growth_free(g);
	else
		qsort(g->causes, g->nr, sizeof(*g->causes), by_growth);
	return err;
}

void growth_free(struct growth *g)
{
	for (size_t i = 0; i < g->nr; i++) {
		free(g->causes[i].name);
		free(g->causes[i].path);
	}
	free(g->causes);
	*g = (struct growth){ 0 };
}
