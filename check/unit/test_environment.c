/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine.json of machines that are made up. What is not told is null, never a guess. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include <cmocka.h>

#include "environment.h"
#include "tree.h"

/* "cpu.model" of @machine. */
static const json_t *member(const json_t *machine, const char *path)
{
	const json_t *at = machine;
	char name[64];

	for (size_t len; at && *path; path += len + (path[len] == '.')) {
		len = strcspn(path, ".");
		snprintf(name, sizeof(name), "%.*s", (int)len, path);
		at = json_object_get(at, name);
	}
	return at;
}

static json_t *machine(void)
{
	json_t *m = environment_json(tree_root, NULL, "/tmp");

	assert_non_null(m);
	assert_string_equal(json_string_value(json_object_get(m, "schema")), "knee-machine/1");
	return m;
}

static void text(const json_t *m, const char *path, const char *expected)
{
	const char *got = json_string_value(member(m, path));

	if (!got)
		fail_msg("%s is no text", path);
	assert_string_equal(got, expected);
}

static void number(const json_t *m, const char *path, json_int_t expected)
{
	assert_true(json_is_integer(member(m, path)));
	assert_int_equal(json_integer_value(member(m, path)), expected);
}

static void null(const json_t *m, const char *path)
{
	if (!json_is_null(member(m, path)))
		fail_msg("%s is not null", path);
}

static void is_true(const json_t *m, const char *path, bool expected)
{
	assert_true(expected ? json_is_true(member(m, path)) : json_is_false(member(m, path)));
}

#define X86_CPU \
	"processor\t: 0\nvendor_id\t: Example\ncpu family\t: 25\nmodel\t\t: 17\n" \
	"model name\t: Example CPU @ 3.0GHz\nstepping\t: 1\nmicrocode\t: 0xa101144\n" \
	"cache size\t: 1024 KB\nflags\t\t: fpu vme hypervisor lahf_lm\n\n"

static void whole_machine(void)
{
	tree_put("/proc/sys/kernel/osrelease", "6.18.5-test\n");
	tree_put("/proc/cmdline", "root=/dev/vda quiet\n");
	tree_put("/proc/sys/kernel/tainted", "4096\n");
	tree_put("/proc/sys/kernel/perf_event_paranoid", "-1\n");
	tree_put("/proc/cpuinfo", X86_CPU);
	tree_put("/proc/meminfo", "MemTotal:       16384 kB\nMemFree: 1 kB\nMemAvailable: 8192 kB\n"
		 "SwapTotal: 0 kB\nSwapFree: 0 kB\n");
	tree_put("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
	tree_put("/sys/devices/system/cpu/possible", "0-3\n");
	tree_put("/sys/devices/system/cpu/vulnerabilities/meltdown", "Not affected\n");
	tree_put("/sys/devices/system/cpu/vulnerabilities/spectre_v2", "Mitigation: IBRS\n");
	for (int cpu = 0; cpu < 2; cpu++) {
		char path[128];

		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor",
			 cpu);
		tree_put(path, "performance\n");
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_max_freq",
			 cpu);
		tree_put(path, cpu ? "3000000\n" : "2000000\n");
	}
}

static void what_is_told(void **state)
{
	json_t *m;

	(void)state;
	whole_machine();
	m = machine();
	text(m, "kernel.release", "6.18.5-test");
	text(m, "kernel.cmdline", "root=/dev/vda quiet");
	number(m, "kernel.tainted", 4096);
	text(m, "kernel.perf_event_paranoid", "-1");
	text(m, "cpu.model", "Example CPU @ 3.0GHz");
	text(m, "cpu.model_number", "17");
	text(m, "cpu.vendor", "Example");
	text(m, "cpu.microcode", "0xa101144");
	is_true(m, "cpu.hypervisor", true);
	text(m, "cpu.governor", "performance");
	number(m, "cpu.max_khz.2000000", 1);
	number(m, "cpu.max_khz.3000000", 1);
	text(m, "cpu.mitigations.spectre_v2", "Mitigation: IBRS");
	text(m, "memory.thp", "madvise");
	number(m, "memory.total_bytes", 16384 * 1024);
	number(m, "memory.available_bytes", 8192 * 1024);
	number(m, "memory.swap_bytes", 0);
	json_decref(m);
}

/* An empty root: no member of these has anything to come from. */
static void what_is_not_told_is_null(void **state)
{
	static const char *const paths[] = {
		"kernel.release", "kernel.version", "kernel.cmdline", "kernel.boot_id",
		"kernel.hostname", "kernel.tainted", "kernel.sched_autogroup", "kernel.pid_max",
		"kernel.lsm", "kernel.preempt", "kernel.config_hash", "cpu.online", "cpu.possible",
		"cpu.isolated", "cpu.smt_active", "cpu.intel_no_turbo", "cpu.boost",
		"cpu.clocksource", "cpu.governor", "cpu.frequency_driver", "cpu.min_khz",
		"cpu.max_khz", "memory.thp", "memory.numa_balancing", "memory.overcommit_memory",
		"memory.swappiness", "memory.nr_hugepages", "memory.randomize_va_space",
		"memory.lru_gen", "memory.nodes", "topology", "cgroup.self", "cgroup.memory",
		"cgroup.pids", "cgroup.cpuset", "load.loadavg", "load.pressure_cpu",
		"virtualisation.product", "virtualisation.hypervisor_type", "cpu.model", "cpu.vendor",
		"cpu.family", "cpu.microcode", "cpu.hypervisor", "cpu.mitigations",
		"memory.total_bytes", "memory.available_bytes", "memory.swap_bytes",
		"memory.swap_free_bytes", "cgroup.mounts",
	};
	json_t *m = machine();

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		null(m, paths[i]);
	is_true(m, "virtualisation.docker", false);
	json_decref(m);
}

static void what_is_unlike_it_should_be_is_null(void **state)
{
	json_t *m;

	(void)state;
	tree_put("/sys/kernel/mm/transparent_hugepage/enabled", "always madvise never\n");
	tree_put("/sys/kernel/mm/transparent_hugepage/defrag", "always [madvise never\n");
	tree_put("/proc/sys/kernel/tainted", "\n");
	tree_put("/proc/sys/vm/swappiness", "-1\n");
	tree_put("/proc/sys/vm/nr_hugepages", "0x10\n");
	m = machine();
	null(m, "memory.thp");
	null(m, "memory.thp_defrag");
	null(m, "kernel.tainted");
	null(m, "memory.swappiness");
	null(m, "memory.nr_hugepages");
	json_decref(m);
}

static void containers(void **state)
{
	json_t *m;

	(void)state;
	tree_put("/.dockerenv", "");
	tree_put("/run/.containerenv", "");
	m = machine();
	is_true(m, "virtualisation.docker", true);
	is_true(m, "virtualisation.podman", true);
	json_decref(m);
}

static void put_config(const char *content)
{
	char path[128];
	gzFile file;

	tree_put("/proc/config.gz", "");
	snprintf(path, sizeof(path), "%s/proc/config.gz", tree_root);
	file = gzopen(path, "wb");
	assert_int_equal(gzputs(file, content), strlen(content));
	assert_int_equal(gzclose(file), Z_OK);
}

/* FNV-1a of "a" is in its authors' table of test vectors. Packed or not, it is the same. */
static void configurations(void **state)
{
	json_t *m;

	(void)state;
	put_config("a");
	m = machine();
	text(m, "kernel.config_hash", "fnv1a64:af63dc4c8601ec8c");
	json_decref(m);
	tree_drop("/proc/config.gz");
	tree_put("/proc/sys/kernel/osrelease", "6.1\n");
	tree_put("/boot/config-6.1", "a");
	m = machine();
	text(m, "kernel.config_hash", "fnv1a64:af63dc4c8601ec8c");
	json_decref(m);
}

static void topologies(void **state)
{
	struct topo_pu pus[] = {
		{ .cpu = 3, .core = 0, .l3 = 0, .node = 0, .package = 0, .memory = 1, .kind = -1 },
		{ .cpu = 7, .core = 1, .l3 = -1, .node = -1, .package = 0, .memory = -1, .kind = 2 },
	};
	struct topo_memory memory[] = { { .node = 0, .bytes = 4096 }, { .node = 5, .bytes = 0 } };
	uint64_t distances[] = { 10, 21, 22, 10 };
	const struct topo t = {
		.pus = pus, .nr_pus = 2, .nr_cores = 8, .nr_l3s = 4, .nr_nodes = 2, .nr_packages = 1,
		.memory = memory, .nr_memory = 2, .distances = distances, .this_system = true,
	};
	json_t *m = environment_json(tree_root, &t, "/tmp"), *expected;

	(void)state;
	expected = json_loads("[[3,0,0,5,0,null],[7,1,null,null,0,2]]", 0, NULL);
	assert_true(json_equal(member(m, "topology.map"), expected));
	json_decref(expected);
	expected = json_loads("[{\"node\":0,\"bytes\":4096,\"distances\":[10,21]},"
			      "{\"node\":5,\"bytes\":0,\"distances\":[22,10]}]", 0, NULL);
	assert_true(json_equal(member(m, "topology.memory"), expected));
	json_decref(expected);
	number(m, "topology.pus", 2);
	number(m, "topology.cores", 8);
	number(m, "topology.l3s", 4);
	number(m, "topology.nodes", 2);
	number(m, "topology.packages", 1);
	is_true(m, "topology.this_system", true);
	json_decref(m);
}

static void cgroups(void **state)
{
	json_t *m;

	(void)state;
	tree_put("/proc/self/cgroup", "4:memory:/a\n");
	tree_put("/proc/self/mountinfo", "35 31 0:32 / /cg rw - cgroup cgroup rw,memory\n");
	tree_put("/proc/self/mounts", "/dev/sda1 / ext4 rw 0 0\ncgroup /cg cgroup rw,memory 0 0\nbad\n");
	m = machine();
	number(m, "cgroup.memory.version", 1);
	text(m, "cgroup.memory.path", "/a");
	assert_int_equal(json_array_size(member(m, "cgroup.mounts")), 1);
	null(m, "cgroup.pids");
	json_decref(m);
}

/* Of this machine, no object is missing. */
static void this_machine(void **state)
{
	static const char *const paths[] = { "kernel.release", "kernel.version", "kernel.machine" };
	json_t *m = environment_json("", NULL, "/tmp");

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		assert_true(json_is_string(member(m, paths[i])));
	assert_true(json_integer_value(member(m, "memory.total_bytes")) > 1 << 20);
	assert_true(json_is_string(member(m, "scratch.fs")));
	json_decref(m);
}

/* A DMI table, a command line, a group: of whatever bytes. No member may take others with it. */
static void texts_that_are_no_utf8(void **state)
{
	json_t *m;

	(void)state;
	tree_put("/proc/cmdline", "root=\xe9\n");
	tree_put("/proc/cpuinfo", "model name : C\xffU\n");
	tree_put("/sys/kernel/mm/transparent_hugepage/enabled", "[\xff]\n");
	tree_put("/proc/self/cgroup", "4:memory:/\xe9\n");
	tree_put("/proc/self/mountinfo", "35 31 0:32 / /cg rw - cgroup cgroup rw,memory\n");
	tree_put("/proc/self/mounts", "cgroup /c\xe9 cgroup rw,memory 0 0\n");
	m = environment_json(tree_root, NULL, "/t\xe9");
	assert_non_null(m);
	text(m, "kernel.cmdline", "root=?");
	text(m, "cpu.model", "C?U");
	text(m, "memory.thp", "?");
	text(m, "cgroup.memory.path", "/?");
	text(m, "scratch.dir", "/t?");
	assert_int_equal(json_array_size(member(m, "cgroup.mounts")), 1);
	json_decref(m);
}

static void hypervisor(const char *cpuinfo, const json_t *expected)
{
	json_t *m;

	tree_put("/proc/cpuinfo", cpuinfo);
	m = machine();
	assert_true(json_equal(member(m, "cpu.hypervisor"), expected));
	json_decref(m);
}

/* arm64 has a line of features, in which no hypervisor is told, guest or not. */
static void hypervisors(void **state)
{
	(void)state;
	hypervisor(X86_CPU, json_true());
	hypervisor("flags\t\t: fpu vme\nbugs\t\t: spectre_v1\n", json_false());
	hypervisor("flags\t\t: fpu vme\nmodel name : x hypervisor\n", json_false());
	hypervisor("processor\t: 0\nFeatures\t: fp asimd evtstrm\n", json_null());
}

static void numbers_beyond_jsons(void **state)
{
	json_t *m;

	(void)state;
	tree_put("/proc/sys/kernel/tainted", "9223372036854775807\n");
	tree_put("/proc/sys/vm/nr_hugepages", "9223372036854775808\n");
	tree_put("/proc/sys/vm/max_map_count", "18446744073709551615\n");
	m = machine();
	number(m, "kernel.tainted", INT64_MAX);
	null(m, "memory.nr_hugepages");
	null(m, "memory.max_map_count");
	json_decref(m);
}

/* The hash of half a configuration is that of no configuration. */
static void configurations_that_are_cut_off(void **state)
{
	static char many[200000];
	char path[128];
	json_t *m;

	(void)state;
	for (size_t i = 0; i < sizeof(many) - 1; i++)
		many[i] = (char)('a' + i * i % 23);
	put_config(many);
	snprintf(path, sizeof(path), "%s/proc/config.gz", tree_root);
	assert_int_equal(truncate(path, 300), 0);
	m = machine();
	null(m, "kernel.config_hash");
	json_decref(m);
	tree_put("/proc/config.gz", "");
	m = machine();
	null(m, "kernel.config_hash");
	json_decref(m);
}

/* This machine's number of CPUs says nothing about another's, nor about CPU 4095. */
static void cpus_that_this_machine_lacks(void **state)
{
	json_t *m;

	(void)state;
	tree_put("/sys/devices/system/cpu/possible", "0-1,4095\n");
	tree_put("/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
	tree_put("/sys/devices/system/cpu/cpu4095/cpufreq/scaling_governor", "performance\n");
	m = machine();
	number(m, "cpu.governor.powersave", 1);
	number(m, "cpu.governor.performance", 1);
	json_decref(m);
}

int main(void)
{
#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, tree_make, tree_remove)
	const struct CMUnitTest tests[] = {
		IN_TREE(what_is_told),
		IN_TREE(what_is_not_told_is_null),
		IN_TREE(what_is_unlike_it_should_be_is_null),
		IN_TREE(containers),
		IN_TREE(configurations),
		IN_TREE(topologies),
		IN_TREE(cgroups),
		cmocka_unit_test(this_machine),
		IN_TREE(texts_that_are_no_utf8),
		IN_TREE(hypervisors),
		IN_TREE(numbers_beyond_jsons),
		IN_TREE(configurations_that_are_cut_off),
		IN_TREE(cpus_that_this_machine_lacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
