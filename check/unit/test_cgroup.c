/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a process stands, by files as kernels, systemd and containers make them. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cgroup.h"
#include "tree.h"

#define V2 "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
#define V1(controller) \
	"35 31 0:32 / /sys/fs/cgroup/" controller " rw,relatime - cgroup cgroup rw," controller "\n"
#define ROOT "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"

static void machine(const char *mounts, const char *cgroups)
{
	tree_put("/proc/self/mountinfo", mounts);
	tree_put("/proc/self/cgroup", cgroups);
}

static void found(const char *controller, int version, const char *mount, const char *path)
{
	char full[256];
	struct cgroup cg;

	assert_int_equal(cgroup_find(&cg, tree_root, controller), 0);
	assert_int_equal(cg.version, version);
	snprintf(full, sizeof(full), "%s%s", tree_root, mount);
	assert_string_equal(cg.mount, full);
	assert_string_equal(cg.path, path);
	cgroup_free(&cg);
	assert_null(cg.mount);
}

static void not_found(const char *controller, int err)
{
	struct cgroup cg;

	assert_int_equal(cgroup_find(&cg, tree_root, controller), err);
	assert_null(cg.mount);
	assert_null(cg.path);
}

static void v2(void **state)
{
	(void)state;
	tree_put("/sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory pids\n");
	machine(ROOT V2, "0::/user.slice/user-1000.slice/session-2.scope\n");
	found("memory", 2, "/sys/fs/cgroup", "/user.slice/user-1000.slice/session-2.scope");
	found("pids", 2, "/sys/fs/cgroup", "/user.slice/user-1000.slice/session-2.scope");
	machine(ROOT V2, "0::/\n");
	found("memory", 2, "/sys/fs/cgroup", "");
}

static void v1(void **state)
{
	(void)state;
	machine(ROOT V1("cpu,cpuacct") V1("cpuset") V1("memory") V1("name=systemd"),
		"9:name=systemd:/init.scope\n4:memory:/a/b\n3:cpuset:/\n2:cpu,cpuacct:/c\n");
	found("memory", 1, "/sys/fs/cgroup/memory", "/a/b");
	found("cpuset", 1, "/sys/fs/cgroup/cpuset", "");
	found("cpu", 1, "/sys/fs/cgroup/cpu,cpuacct", "/c");
	found("cpuacct", 1, "/sys/fs/cgroup/cpu,cpuacct", "/c");
	not_found("pids", -ENOENT);
	not_found("systemd", -ENOENT);
	not_found("mem", -ENOENT);
}

/* systemd's hybrid: v1 hierarchies, and v2 beside them for itself. */
static void hybrid(void **state)
{
	(void)state;
	tree_put("/sys/fs/cgroup/unified/cgroup.controllers", "pids\n");
	machine(ROOT V1("memory")
		"40 31 0:27 / /sys/fs/cgroup/unified rw shared:5 - cgroup2 cgroup2 rw\n",
		"4:memory:/a\n1:name=systemd:/b\n0::/c\n");
	found("memory", 1, "/sys/fs/cgroup/memory", "/a");
	found("pids", 2, "/sys/fs/cgroup/unified", "/c");
}

/* The line of v2 is there although v2 is not mounted; and so may v1's be. */
static void known_and_not_mounted(void **state)
{
	(void)state;
	machine(ROOT V1("memory"), "4:memory:/\n3:cpuset:/\n0::/\n");
	not_found("pids", -ENOENT);
	not_found("cpuset", -ENOENT);
	found("memory", 1, "/sys/fs/cgroup/memory", "");
}

/* Docker without cgroup namespaces: the group's own directory is mounted, its full path told. */
static void container(void **state)
{
	(void)state;
	machine(ROOT "35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro master:9 - cgroup cgroup rw,memory\n",
		"4:memory:/docker/abc\n");
	found("memory", 1, "/sys/fs/cgroup/memory", "");
	machine(ROOT "35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro master:9 - cgroup cgroup rw,memory\n",
		"4:memory:/docker/abc/inner\n");
	found("memory", 1, "/sys/fs/cgroup/memory", "/inner");
}

static void malformed(void **state)
{
	(void)state;
	not_found("memory", -ENOENT);	/* no /proc at all */
	machine("", "");
	not_found("memory", -ENOENT);
	machine("nonsense\n - \n1 2 3 - cgroup\n1 2 3 4 5 - cgroup cgroup\n", "x\n:\n::\n\n4:memory\n");
	not_found("memory", -ENOENT);
	machine(ROOT V1("memory"), "4:memory\n");
	not_found("memory", -ENOENT);
}

static void tightest(uint64_t left, const char *where, int version, const char *path,
		     const char *limit, const char *usage)
{
	char mount[128], full[256], own[128], *got;
	struct cgroup cg = { .version = version, .mount = mount, .path = own };
	uint64_t value;

	snprintf(mount, sizeof(mount), "%s/cg", tree_root);
	snprintf(own, sizeof(own), "%s", path);
	cgroup_tightest(&cg, limit, usage, &value, &got);
	assert_true(value == left);
	if (!where) {
		assert_null(got);
		return;
	}
	snprintf(full, sizeof(full), "%s%s", mount, where);
	assert_string_equal(got, full);
	free(got);
}

static void limits_on_the_way_to_the_root(void **state)
{
	(void)state;
	tree_put("/cg/pids.max", "1000\n");
	tree_put("/cg/pids.current", "100\n");
	tree_put("/cg/a/pids.max", "100\n");
	tree_put("/cg/a/pids.current", "30\n");
	tree_put("/cg/a/b/pids.max", "max\n");
	tree_put("/cg/a/b/pids.current", "7\n");
	tightest(70, "/a", 2, "/a/b", "pids.max", "pids.current");
	tightest(70, "/a", 2, "/a", "pids.max", "pids.current");
	tightest(900, "", 2, "", "pids.max", "pids.current");
	tightest(100, "/a", 2, "/a/b", "pids.max", "");
	tightest(UINT64_MAX, NULL, 2, "/a/b", "memory.max", "");
	/* Lowered below what is used already: nothing is left. */
	tree_put("/cg/a/pids.max", "20\n");
	tightest(0, "/a", 2, "/a/b", "pids.max", "pids.current");
}

static void what_is_no_limit(void **state)
{
	(void)state;
	tree_put("/cg/memory.limit_in_bytes", "9223372036854771712\n");
	tree_put("/cg/a/memory.limit_in_bytes", "9223372036854771712\n");
	tightest(UINT64_MAX, NULL, 1, "/a", "memory.limit_in_bytes", "");
	tree_put("/cg/a/memory.limit_in_bytes", "67108864\n");
	tightest(67108864, "/a", 1, "/a", "memory.limit_in_bytes", "");
}

#define DOCKER "35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"

/* /docker/abcd is no child of /docker/abc, which is what is mounted. */
static void another_group_with_that_beginning(void **state)
{
	(void)state;
	machine(ROOT DOCKER, "4:memory:/docker/abcd/e\n");
	not_found("memory", -ENOENT);
}

/* Moved out of what is mounted: its path below the mount would be another group's, or none. */
static void a_group_that_no_mount_shows(void **state)
{
	(void)state;
	machine(ROOT DOCKER, "4:memory:/other\n");
	not_found("memory", -ENOENT);
	machine(ROOT DOCKER, "4:memory:/\n");
	not_found("memory", -ENOENT);
	tree_put("/sys/fs/cgroup/cgroup.controllers", "memory\n");
	machine(ROOT V2, "0::/../sibling\n");
	not_found("memory", -ENOENT);
	/* A cgroup namespace whose mounts are its parent's. */
	machine(ROOT "30 23 0:26 /../.. /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", "0::/\n");
	not_found("memory", -ENOENT);
}

static void the_mount_that_shows_it(void **state)
{
	(void)state;
	machine(ROOT DOCKER V1("memory"), "4:memory:/other\n");
	found("memory", 1, "/sys/fs/cgroup/memory", "/other");
	machine(ROOT "35 31 0:32 /docker/abc /inner rw - cgroup cgroup rw,memory\n" V1("memory"),
		"4:memory:/docker/abc/x\n");
	found("memory", 1, "/inner", "/x");
}

static void blanks_in_paths(void **state)
{
	(void)state;
	machine(ROOT "35 31 0:32 /a\\040b\\134 /mnt/c\\011g rw - cgroup cgroup rw,memory\n",
		"4:memory:/a b\\/c\n");
	found("memory", 1, "/mnt/c\tg", "/c");
}

/* Booted with cgroup_disable=memory, or a v2 whose controllers v1 has. */
static void v2_without_the_controller(void **state)
{
	(void)state;
	tree_put("/sys/fs/cgroup/cgroup.controllers", "cpuset cpu pids\n");
	machine(ROOT V2, "0::/a\n");
	not_found("memory", -ENOENT);
	found("pids", 2, "/sys/fs/cgroup", "/a");
}

int main(void)
{
#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, tree_make, tree_remove)
	const struct CMUnitTest tests[] = {
		IN_TREE(v2),
		IN_TREE(v1),
		IN_TREE(hybrid),
		IN_TREE(known_and_not_mounted),
		IN_TREE(container),
		IN_TREE(malformed),
		IN_TREE(limits_on_the_way_to_the_root),
		IN_TREE(what_is_no_limit),
		IN_TREE(another_group_with_that_beginning),
		IN_TREE(a_group_that_no_mount_shows),
		IN_TREE(the_mount_that_shows_it),
		IN_TREE(blanks_in_paths),
		IN_TREE(v2_without_the_controller),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
