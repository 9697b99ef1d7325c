/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "file.h"
#include "tree.h"

#define UNTOUCHED 4711

static void reads(const char *content, const char *expected)
{
	char *text;

	tree_put("/f", content);
	assert_int_equal(file_read(&text, tree_root, "/%s", "f"), 0);
	assert_string_equal(text, expected);
	free(text);
}

static void without_the_last_newline(void **state)
{
	(void)state;
	reads("", "");
	reads("\n", "");
	reads("one", "one");
	reads("one\n", "one");
	reads("one\ntwo\n\n", "one\ntwo\n");
}

/* Around the sizes at which the buffer grows. */
static void files_of_any_length(void **state)
{
	static const size_t lengths[] = { 4094, 4095, 4096, 8190, 8191, 8192, 100000 };
	char *text;

	(void)state;
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		char *content = malloc(lengths[i] + 1);

		memset(content, 'x', lengths[i]);
		content[lengths[i]] = '\0';
		tree_put("/f", content);
		assert_int_equal(file_read(&text, tree_root, "/f"), 0);
		assert_string_equal(text, content);
		free(text);
		free(content);
	}
	assert_int_equal(file_read(&text, "", "/proc/self/maps"), 0);	/* of no size */
	assert_true(strlen(text) > 1000);
	free(text);
}

static void no_file(void **state)
{
	char *text = NULL;

	(void)state;
	assert_int_equal(file_read(&text, tree_root, "/none"), -ENOENT);
	assert_int_equal(file_read(&text, tree_root, "%s", ""), -EISDIR);
	assert_null(text);
}

static void number(const char *content, int err, uint64_t expected)
{
	uint64_t value = UNTOUCHED;

	tree_put("/n", content);
	assert_int_equal(file_read_u64(&value, tree_root, "/%c", 'n'), err);
	assert_true(value == (err ? UNTOUCHED : expected));
}

static void numbers(void **state)
{
	uint64_t value = UNTOUCHED;

	(void)state;
	number("0\n", 0, 0);
	number("4096", 0, 4096);
	number("100000 200000\n", 0, 100000);
	number("3\tx\n", 0, 3);
	number("18446744073709551615\n", 0, UINT64_MAX);
	number("", -EINVAL, 0);
	number("max\n", -EINVAL, 0);
	number("-1\n", -EINVAL, 0);
	number(" 1\n", -EINVAL, 0);
	assert_int_equal(file_read_u64(&value, tree_root, "/none"), -ENOENT);
	assert_int_equal(value, UNTOUCHED);
}

static void key(const char *text, const char *name, int err, uint64_t expected)
{
	uint64_t value = UNTOUCHED;

	assert_int_equal(file_key_u64(text, name, &value), err);
	assert_true(value == (err ? UNTOUCHED : expected));
}

static void keys(void **state)
{
	(void)state;
	key("MemTotal:       16384 kB\nMemFree: 7 kB", "MemTotal", 0, 16384);
	key("MemTotal:       16384 kB\nMemFree: 7 kB", "MemFree", 0, 7);
	key("MemTotalX: 1\nMemTotal: 2", "MemTotal", 0, 2);
	key("xMemTotal: 1\n\n\nMemTotal: 2", "MemTotal", 0, 2);
	key("oom 1\noom_kill 2\noom_group_kill 3\n", "oom_kill", 0, 2);
	key("a:\t5\n", "a", 0, 5);
	key("a 1\na 2", "a", 0, 1);
	key("a 1", "b", -ENOENT, 0);
	key("", "a", -ENOENT, 0);
	key("a x", "a", -EINVAL, 0);
	key("a -1", "a", -EINVAL, 0);
	key("a:", "a", -EINVAL, 0);
	key("a", "a", -EINVAL, 0);
	key("a\n1", "a", -ENOENT, 0);
}

static void writes(void **state)
{
	char path[128], *text;

	(void)state;
	snprintf(path, sizeof(path), "%s/w", tree_root);
	assert_int_equal(file_write(path, "1"), -ENOENT);	/* control files exist */
	tree_put("/w", "");
	assert_int_equal(file_write(path, "some text"), 0);
	assert_int_equal(file_read(&text, tree_root, "/w"), 0);
	assert_string_equal(text, "some text");
	free(text);
	assert_int_equal(file_write("/dev/full", "1"), -ENOSPC);
	assert_int_equal(file_write(tree_root, "1"), -EISDIR);
}

static void trees_go(void **state)
{
	char path[128], outside[128];

	(void)state;
	tree_put("/t/a/b/c", "1");
	tree_put("/t/a/.hidden", "1");
	tree_put("/outside/kept", "1");
	snprintf(path, sizeof(path), "%s/t/a/link", tree_root);
	snprintf(outside, sizeof(outside), "%s/outside", tree_root);
	assert_int_equal(symlink(outside, path), 0);
	snprintf(path, sizeof(path), "%s/t/dangling", tree_root);
	assert_int_equal(symlink("/nowhere", path), 0);
	snprintf(path, sizeof(path), "%s/t/fifo", tree_root);
	assert_int_equal(mkfifo(path, 0600), 0);
	snprintf(path, sizeof(path), "%s/t", tree_root);
	assert_int_equal(file_remove_tree(path), 0);
	assert_int_not_equal(access(path, F_OK), 0);
	assert_int_equal(access(outside, F_OK), 0);
	tree_drop("/outside/kept");
	assert_int_equal(file_remove_tree(path), 0);	/* gone already */
}

/* Deeper than descriptors are allowed for, and a link in the place of the tree. */
static void deep_trees_and_links(void **state)
{
	char path[1024], name[128], target[128];
	size_t len;

	(void)state;
	tree_put("/outside/kept", "1");
	len = (size_t)snprintf(path, sizeof(path), "%s/deep", tree_root);
	for (int i = 0; i < 100; i++) {
		assert_int_equal(mkdir(path, 0700), 0);
		len += (size_t)snprintf(path + len, sizeof(path) - len, "/d");
	}
	snprintf(name, sizeof(name), "%s/deep", tree_root);
	assert_int_equal(file_remove_tree(name), 0);
	assert_int_not_equal(access(name, F_OK), 0);
	snprintf(target, sizeof(target), "%s/outside", tree_root);
	assert_int_equal(symlink(target, name), 0);
	assert_int_equal(file_remove_tree(name), 0);
	assert_int_not_equal(access(name, F_OK), 0);
	tree_drop("/outside/kept");
}

static void fstype(const char *path, const char *expected)
{
	char buf[FILE_FSTYPE_MAX];

	assert_string_equal(file_fstype(buf, path), expected);
}

static void filesystems(void **state)
{
	(void)state;
	fstype("/proc", "proc");
	fstype("/proc/self/task", "proc");
	fstype("/sys/kernel", "sysfs");
	fstype("/nowhere", "?");
	fstype("", "?");
}

/* strtoull() would give the largest number, and what it read of "4096kB" or "0x10". */
static void what_is_not_quite_a_number(void **state)
{
	(void)state;
	number("18446744073709551616\n", -ERANGE, 0);
	number("4096kB\n", -EINVAL, 0);
	number("0x10\n", -EINVAL, 0);
	number("1.5\n", -EINVAL, 0);
	number("0-3\n", -EINVAL, 0);
	key("a 18446744073709551616", "a", -ERANGE, 0);
	key("a 12x", "a", -EINVAL, 0);
}

#define CANNOT_MOUNT 77

/* A mount namespace of its own; one who is not root becomes so in a user namespace. */
static int leave_mounts(void)
{
	char users[64], groups[64];

	if (unshare(CLONE_NEWNS) == 0)
		return 0;
	snprintf(users, sizeof(users), "0 %d 1", (int)geteuid());
	snprintf(groups, sizeof(groups), "0 %d 1", (int)getegid());
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 || file_write("/proc/self/setgroups", "deny"))
		return -1;
	return file_write("/proc/self/uid_map", users) || file_write("/proc/self/gid_map", groups);
}

/* In namespaces of its own: tmpfs at a/b, then ramfs over a. Exits with 0 if a/b is on ramfs. */
static void mount_over(const char *a, const char *b)
{
	char buf[FILE_FSTYPE_MAX];

	if (leave_mounts() != 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("none", b, "tmpfs", 0, NULL) != 0)
		_exit(CANNOT_MOUNT);
	if (strcmp(file_fstype(buf, b), "tmpfs") != 0)
		_exit(1);
	if (mount("none", a, "ramfs", 0, NULL) != 0)
		_exit(CANNOT_MOUNT);
	_exit(mkdir(b, 0700) != 0 || strcmp(file_fstype(buf, b), "ramfs") != 0);
}

/* The longest mount point that the path begins with need not be what is there. */
static void a_mount_under_another(void **state)
{
	char a[128], b[128];
	int status;
	pid_t pid;

	(void)state;
	tree_put("/a/b/f", "");
	snprintf(a, sizeof(a), "%s/a", tree_root);
	snprintf(b, sizeof(b), "%s/a/b", tree_root);
	pid = fork();
	if (pid == 0)
		mount_over(a, b);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == CANNOT_MOUNT)
		skip();
	assert_int_equal(status, 0);
}

int main(void)
{
#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, tree_make, tree_remove)
	const struct CMUnitTest tests[] = {
		IN_TREE(without_the_last_newline),
		IN_TREE(files_of_any_length),
		IN_TREE(no_file),
		IN_TREE(numbers),
		cmocka_unit_test(keys),
		IN_TREE(writes),
		IN_TREE(trees_go),
		IN_TREE(deep_trees_and_links),
		cmocka_unit_test(filesystems),
		IN_TREE(what_is_not_quite_a_number),
		IN_TREE(a_mount_under_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
