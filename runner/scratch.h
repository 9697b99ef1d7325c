/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scratch directory of one cell: knee.XXXXXX below a directory of the user's choice, mode
 * 0700, locked (flock) as long as a process of the cell lives. One whose lock is free was left
 * behind by a SIGKILL of everything, and is removed at the next start by the same user. The memory
 * cgroups of a cell live in such a directory, too: they only are removed in another way.
 */
#ifndef KNEE_SCRATCH_H
#define KNEE_SCRATCH_H

struct scratch {
	char *path;	/* absolute */
	int lock_fd;
	int (*remove_tree)(const char *path);	/* the whole tree: 0 or -errno */
};

/* Where scratch directories go without --dir: $TMPDIR, else /tmp. */
const char *scratch_default_dir(void);

/*
 * Chooses where a testcase's scratch directory goes: *dir, or /dev/shm if the facts want a tmpfs
 * (@fs, see struct testcase_needs) and *dir is none. 0, or -ENOTSUP and a line in @why. Whether
 * there is O_DIRECT is tried, by a file in *dir that is gone at once.
 */
#define SCRATCH_TEXT_MAX 512
int scratch_choose_dir(const char **dir, const char *fs, char why[SCRATCH_TEXT_MAX]);

/* Makes and locks one below @dir. 0 or -errno, said once. */
int scratch_create(struct scratch *s, const char *dir);

/* The same for one that @remove_tree will remove; nothing is said. */
int scratch_create_as(struct scratch *s, const char *dir, int (*remove_tree)(const char *path));

/* Removes it with all it holds, and frees @s. 0 or -errno, said once. */
int scratch_remove(struct scratch *s);

/* Removes what this user's killed runs left below @dir. */
void scratch_sweep(const char *dir);
void scratch_sweep_as(const char *dir, int (*remove_tree)(const char *path));

#endif
