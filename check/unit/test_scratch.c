/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "quiet.h"
#include "scratch.h"
#include "tree.h"

static void makes_and_removes(void **state)
{
	struct scratch s;
	struct stat st;
	char path[128], *kept;

	(void)state;
	assert_int_equal(scratch_create(&s, tree_root), 0);
	assert_int_equal(s.path[0], '/');
	assert_non_null(strstr(s.path, "/knee."));
	assert_int_equal(stat(s.path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	snprintf(path, sizeof(path), "%s/file", s.path + strlen(tree_root));
	tree_put(path, "1");
	kept = strdup(s.path);
	assert_int_equal(scratch_remove(&s), 0);
	assert_null(s.path);
	assert_int_not_equal(access(kept, F_OK), 0);
	free(kept);
	assert_int_equal(scratch_remove(&s), 0);	/* of none */
}

static void two_are_different(void **state)
{
	struct scratch a, b;

	(void)state;
	assert_int_equal(scratch_create(&a, tree_root), 0);
	assert_int_equal(scratch_create(&b, tree_root), 0);
	assert_string_not_equal(a.path, b.path);
	scratch_remove(&a);
	scratch_remove(&b);
}

static void no_directory(void **state)
{
	struct scratch s;

	(void)state;
	quiet_begin();
	assert_int_equal(scratch_create(&s, "/nowhere"), -ENOENT);
	assert_int_equal(quiet_end(), 1);
	assert_null(s.path);
	scratch_sweep("/nowhere");
}

static bool exists(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", tree_root, name);
	return access(path, F_OK) == 0;
}

/* Of what a killed run left, and nothing else. */
static void sweeps_what_nobody_holds(void **state)
{
	char link[128], target[128];
	struct scratch alive;

	(void)state;
	tree_put("/knee.Ab12Cd/deep/file", "1");
	tree_put("/knee.toolong/file", "1");
	tree_put("/knee.short/file", "1");
	tree_put("/other.Ab12Cd/file", "1");
	tree_put("/knee.file12", "1");	/* no directory */
	snprintf(target, sizeof(target), "%s/other.Ab12Cd", tree_root);
	snprintf(link, sizeof(link), "%s/knee.link12", tree_root);
	assert_int_equal(symlink(target, link), 0);
	assert_int_equal(scratch_create(&alive, tree_root), 0);
	scratch_sweep(tree_root);
	assert_false(exists("knee.Ab12Cd"));
	assert_true(exists("knee.toolong/file"));
	assert_true(exists("knee.short/file"));
	assert_true(exists("other.Ab12Cd/file"));
	assert_true(exists("knee.file12"));
	assert_true(exists("knee.link12"));
	assert_int_equal(access(alive.path, F_OK), 0);
	scratch_remove(&alive);
}

/* A process of the cell that outlives the supervisor holds the lock, too. */
static void a_lock_is_inherited(void **state)
{
	struct scratch s;
	int held;

	(void)state;
	assert_int_equal(scratch_create(&s, tree_root), 0);
	held = dup(s.lock_fd);
	close(s.lock_fd);
	scratch_sweep(tree_root);
	assert_int_equal(access(s.path, F_OK), 0);
	close(held);
	scratch_sweep(tree_root);
	assert_int_not_equal(access(s.path, F_OK), 0);
	free(s.path);
}

static void where_by_default(void **state)
{
	(void)state;
	setenv("TMPDIR", "/some/where", 1);
	assert_string_equal(scratch_default_dir(), "/some/where");
	setenv("TMPDIR", "relative", 1);
	assert_string_equal(scratch_default_dir(), "/tmp");
	setenv("TMPDIR", "", 1);
	assert_string_equal(scratch_default_dir(), "/tmp");
	unsetenv("TMPDIR");
	assert_string_equal(scratch_default_dir(), "/tmp");
}

static void as_the_facts_ask(void **state)
{
	const char *dir = "/proc";
	char why[SCRATCH_TEXT_MAX], type[FILE_FSTYPE_MAX];

	(void)state;
	assert_int_equal(scratch_choose_dir(&dir, NULL, why), 0);
	assert_string_equal(dir, "/proc");
	if (strcmp(file_fstype(type, "/dev/shm"), "tmpfs") != 0)
		skip();
	assert_int_equal(scratch_choose_dir(&dir, "tmpfs", why), 0);
	assert_string_equal(dir, "/dev/shm");
	assert_int_equal(scratch_choose_dir(&dir, "disk", why), -ENOTSUP);
	assert_non_null(strstr(why, "/dev/shm is tmpfs"));
}

int main(void)
{
#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, tree_make, tree_remove)
	const struct CMUnitTest tests[] = {
		IN_TREE(makes_and_removes),
		IN_TREE(two_are_different),
		cmocka_unit_test(no_directory),
		IN_TREE(sweeps_what_nobody_holds),
		IN_TREE(a_lock_is_inherited),
		cmocka_unit_test(where_by_default),
		cmocka_unit_test(as_the_facts_ask),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
