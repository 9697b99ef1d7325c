/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "environment.h"

#include <dirent.h>
#include <gnu/libc-version.h>
#include <hwloc.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zlib.h>

#include "aslr.h"
#include "build_info.h"
#include "cgroup.h"
#include "cpulist.h"
#include "file.h"
#include "json_text.h"
#include "topo_json.h"
#include "words.h"

/* ---- small files ---------------------------------------------------------------------------- */

static json_t *text_file(const char *root, const char *path)
{
	char *text;
	json_t *value;

	if (file_read(&text, root, "%s", path) != 0)
		return json_null();
	value = json_text(text);
	free(text);
	return value;
}

static json_t *number_file(const char *root, const char *path)
{
	uint64_t value;

	/* JSON's integers, as jansson has them, end earlier. */
	return file_read_u64(&value, root, "%s", path) == 0 && value <= INT64_MAX
	       ? json_integer((json_int_t)value) : json_null();
}

/* "always [madvise] never": the word in brackets. */
static json_t *chosen_file(const char *root, const char *path)
{
	char *text, *begin, *end = NULL;
	json_t *value = json_null();

	if (file_read(&text, root, "%s", path) != 0)
		return value;
	begin = strchr(text, '[');
	if (begin)
		end = strchr(begin, ']');
	if (end) {
		*end = '\0';
		value = json_text(begin + 1);
	}
	free(text);
	return value;
}

/* One member of an object, read from one file. */
struct member {
	const char *name, *path;
	json_t *(*read)(const char *root, const char *path);
};

static json_t *object_of(const char *root, const struct member *members, size_t nr)
{
	json_t *object = json_object();

	for (size_t i = 0; i < nr; i++)
		json_object_set_new(object, members[i].name, members[i].read(root, members[i].path));
	return object;
}

#define OBJECT_OF(root, members) object_of(root, members, sizeof(members) / sizeof((members)[0]))

/* "key<sep>value" on a line of its own in /proc/cpuinfo: the first one's value. @text may be NULL. */
static json_t *line_value(const char *text, const char *key)
{
	size_t len = strlen(key);
	json_t *string;
	char *copy;

	for (const char *line = text; line; line = strchr(line, '\n')) {
		const char *value;

		line += *line == '\n';
		if (strncmp(line, key, len) != 0)
			continue;
		value = line + len + strspn(line + len, " \t");
		if (*value != ':')
			continue;
		value += 1 + strspn(value + 1, " \t");
		copy = strndup(value, strcspn(value, "\n"));
		string = json_text(copy);
		free(copy);
		return string;
	}
	return json_null();
}

/* ---- kernel --------------------------------------------------------------------------------- */

/*
 * FNV-1a, 64 bits (Fowler, Noll, Vo), of the kernel's configuration as text: whether two kernels
 * were configured alike, nothing more.
 */
static json_t *config_hash(const char *root, const char *release)
{
	char path[2][512], text[32];
	uint64_t hash = 0xcbf29ce484222325;
	unsigned char buf[8192];
	gzFile file = NULL;
	bool any = false, whole;
	int got;

	snprintf(path[0], sizeof(path[0]), "%s/proc/config.gz", root);
	snprintf(path[1], sizeof(path[1]), "%s/boot/config-%s", root, release);
	for (size_t i = 0; i < 2 && !file; i++)
		file = gzopen(path[i], "rb");	/* reads plain text, too */
	if (!file)
		return json_null();
	while ((got = gzread(file, buf, sizeof(buf))) > 0) {
		any = true;
		for (int i = 0; i < got; i++)
			hash = (hash ^ buf[i]) * 0x100000001b3;
	}
	/* That a file is cut off is told only now. */
	whole = gzclose(file) == Z_OK && got == 0;
	if (!whole || !any)
		return json_null();
	snprintf(text, sizeof(text), "fnv1a64:%016" PRIx64, hash);
	return json_string(text);
}

static json_t *kernel(const char *root)
{
	static const struct member members[] = {
		{ "release", "/proc/sys/kernel/osrelease", text_file },
		{ "version", "/proc/sys/kernel/version", text_file },
		{ "cmdline", "/proc/cmdline", text_file },
		{ "boot_id", "/proc/sys/kernel/random/boot_id", text_file },
		{ "hostname", "/proc/sys/kernel/hostname", text_file },
		{ "tainted", "/proc/sys/kernel/tainted", number_file },
		{ "sched_autogroup", "/proc/sys/kernel/sched_autogroup_enabled", number_file },
		{ "perf_event_paranoid", "/proc/sys/kernel/perf_event_paranoid", text_file },
		{ "pid_max", "/proc/sys/kernel/pid_max", number_file },
		{ "threads_max", "/proc/sys/kernel/threads-max", number_file },
		{ "file_max", "/proc/sys/fs/file-max", text_file },
		{ "lsm", "/sys/kernel/security/lsm", text_file },
		{ "preempt", "/sys/kernel/debug/sched/preempt", text_file },
	};
	json_t *object = OBJECT_OF(root, members);
	const char *release = json_string_value(json_object_get(object, "release"));
	struct utsname uts;

	json_object_set_new(object, "config_hash", config_hash(root, release ? release : ""));
	json_object_set_new(object, "machine", json_text(uname(&uts) == 0 ? uts.machine : NULL));
	return object;
}

/* ---- CPUs ----------------------------------------------------------------------------------- */

/* Every file of the directory, as name and content. Kernels before 4.15 have none: not known. */
static json_t *mitigations(const char *root)
{
	static const char dir[] = "/sys/devices/system/cpu/vulnerabilities";
	json_t *object = json_object();
	char path[512];
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof(path), "%s%s", root, dir);
	d = opendir(path);
	if (!d) {
		json_decref(object);
		return json_null();
	}
	while ((e = readdir(d))) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		json_object_set_new(object, e->d_name, text_file(root, path));
	}
	closedir(d);
	return object;
}

/* What all CPUs agree on, else the first few values with a count of CPUs each. */
static json_t *over_cpus(const char *root, const char *file, const struct cpulist *cpus)
{
	json_t *counts = json_object();

	for (size_t i = 0; i < cpus->nr; i++) {
		char *text;
		json_int_t seen;

		if (file_read(&text, root, "/sys/devices/system/cpu/cpu%d/%s", cpus->cpus[i],
			      file) != 0)
			continue;
		seen = json_integer_value(json_object_get(counts, text));
		json_object_set_new(counts, text, json_integer(seen + 1));
		free(text);
	}
	if (json_object_size(counts) == 0) {
		json_decref(counts);
		return json_null();
	}
	if (json_object_size(counts) == 1) {
		json_t *only = json_string(json_object_iter_key(json_object_iter(counts)));

		json_decref(counts);
		return only;
	}
	return counts;
}

/* x86 tells it among the CPU's flags; other machines do not, here. */
static json_t *hypervisor(const char *cpuinfo)
{
	json_t *flags = line_value(cpuinfo, "flags");
	json_t *value = json_is_string(flags)
			? json_boolean(words_have(json_string_value(flags), "hypervisor"))
			: json_null();

	json_decref(flags);
	return value;
}

static void set_cpuinfo(json_t *object, const char *root)
{
	static const struct { const char *name, *key; } lines[] = {
		{ "model", "model name" }, { "vendor", "vendor_id" }, { "family", "cpu family" },
		{ "model_number", "model" }, { "stepping", "stepping" }, { "microcode", "microcode" },
		{ "cache_size", "cache size" },
	};
	char *text;

	if (file_read(&text, root, "/proc/cpuinfo") != 0)
		text = NULL;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		json_object_set_new(object, lines[i].name, line_value(text, lines[i].key));
	json_object_set_new(object, "hypervisor", hypervisor(text));
	free(text);
}

/* All that this kernel may ever see; those that are offline have no such files. */
static void possible_cpus(struct cpulist *cpus, const char *root)
{
	char *text;

	*cpus = (struct cpulist){ 0 };
	if (file_read(&text, root, "/sys/devices/system/cpu/possible") != 0)
		return;
	cpulist_parse(text, cpus);
	free(text);
}

static json_t *cpu(const char *root)
{
	static const struct member members[] = {
		{ "online", "/sys/devices/system/cpu/online", text_file },
		{ "possible", "/sys/devices/system/cpu/possible", text_file },
		{ "isolated", "/sys/devices/system/cpu/isolated", text_file },
		{ "nohz_full", "/sys/devices/system/cpu/nohz_full", text_file },
		{ "smt_active", "/sys/devices/system/cpu/smt/active", number_file },
		{ "smt_control", "/sys/devices/system/cpu/smt/control", text_file },
		{ "intel_no_turbo", "/sys/devices/system/cpu/intel_pstate/no_turbo", number_file },
		{ "boost", "/sys/devices/system/cpu/cpufreq/boost", number_file },
		{ "idle_driver", "/sys/devices/system/cpu/cpuidle/current_driver", text_file },
		{ "clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource",
		  text_file },
	};
	static const char *const over[][2] = {
		{ "governor", "cpufreq/scaling_governor" },
		{ "frequency_driver", "cpufreq/scaling_driver" },
		{ "min_khz", "cpufreq/scaling_min_freq" },
		{ "max_khz", "cpufreq/scaling_max_freq" },
		{ "hardware_max_khz", "cpufreq/cpuinfo_max_freq" },
		{ "energy_performance_preference", "cpufreq/energy_performance_preference" },
	};
	json_t *object = OBJECT_OF(root, members);
	struct cpulist cpus;

	possible_cpus(&cpus, root);
	set_cpuinfo(object, root);
	for (size_t i = 0; i < sizeof(over) / sizeof(over[0]); i++)
		json_object_set_new(object, over[i][0], over_cpus(root, over[i][1], &cpus));
	cpulist_free(&cpus);
	json_object_set_new(object, "mitigations", mitigations(root));
	return object;
}

/* ---- memory --------------------------------------------------------------------------------- */

static json_t *memory(const char *root)
{
	static const struct member members[] = {
		{ "thp", "/sys/kernel/mm/transparent_hugepage/enabled", chosen_file },
		{ "thp_defrag", "/sys/kernel/mm/transparent_hugepage/defrag", chosen_file },
		{ "thp_shmem", "/sys/kernel/mm/transparent_hugepage/shmem_enabled", chosen_file },
		{ "numa_balancing", "/proc/sys/kernel/numa_balancing", number_file },
		{ "overcommit_memory", "/proc/sys/vm/overcommit_memory", number_file },
		{ "overcommit_ratio", "/proc/sys/vm/overcommit_ratio", number_file },
		{ "swappiness", "/proc/sys/vm/swappiness", number_file },
		{ "zone_reclaim_mode", "/proc/sys/vm/zone_reclaim_mode", number_file },
		{ "max_map_count", "/proc/sys/vm/max_map_count", number_file },
		{ "nr_hugepages", "/proc/sys/vm/nr_hugepages", number_file },
		{ "randomize_va_space", "/proc/sys/kernel/randomize_va_space", number_file },
		{ "ksm_run", "/sys/kernel/mm/ksm/run", number_file },
		{ "lru_gen", "/sys/kernel/mm/lru_gen/enabled", text_file },
		{ "nodes", "/sys/devices/system/node/online", text_file },
	};
	static const char *const keys[][2] = {
		{ "MemTotal", "total_bytes" }, { "MemAvailable", "available_bytes" },
		{ "SwapTotal", "swap_bytes" }, { "SwapFree", "swap_free_bytes" },
	};
	json_t *object = OBJECT_OF(root, members);
	uint64_t kib;
	char *text;

	if (file_read(&text, root, "/proc/meminfo") != 0)
		text = NULL;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		json_object_set_new(object, keys[i][1],
				    text && file_key_u64(text, keys[i][0], &kib) == 0 ?
				    json_integer((json_int_t)kib * 1024) : json_null());
	free(text);
	return object;
}

/* ---- cgroups -------------------------------------------------------------------------------- */

static json_t *own_group(const char *root, const char *controller)
{
	struct cgroup cg;
	json_t *object;

	if (cgroup_find(&cg, root, controller) != 0)
		return json_null();
	object = json_pack("{si so so}", "version", cg.version, "mount", json_text(cg.mount),
			   "path", json_text(cg.path[0] ? cg.path : "/"));
	cgroup_free(&cg);
	return object;
}

static json_t *cgroup_mounts(const char *root)
{
	char *text, *rest, *line;
	json_t *array;

	if (file_read(&text, root, "/proc/self/mounts") != 0)
		return json_null();
	array = json_array();
	for (rest = text; (line = strsep(&rest, "\n"));) {
		char *fields[4] = { NULL };

		for (int i = 0; i < 4; i++)
			fields[i] = strsep(&line, " ");
		if (fields[3] && strncmp(fields[2], "cgroup", 6) == 0)
			json_array_append_new(array, json_pack("{so so so}",
				"type", json_text(fields[2]), "mount", json_text(fields[1]),
				"options", json_text(fields[3])));
	}
	free(text);
	return array;
}

static json_t *cgroups(const char *root)
{
	return json_pack("{so so so so so}", "mounts", cgroup_mounts(root),
			 "self", text_file(root, "/proc/self/cgroup"),
			 "memory", own_group(root, "memory"), "pids", own_group(root, "pids"),
			 "cpuset", own_group(root, "cpuset"));
}

/* ---- the rest ------------------------------------------------------------------------------- */

static json_t *load(const char *root)
{
	static const struct member members[] = {
		{ "loadavg", "/proc/loadavg", text_file },
		{ "uptime", "/proc/uptime", text_file },
		{ "pressure_cpu", "/proc/pressure/cpu", text_file },
		{ "pressure_memory", "/proc/pressure/memory", text_file },
	};

	return OBJECT_OF(root, members);
}

static json_t *virtualisation(const char *root)
{
	static const struct member members[] = {
		{ "hypervisor_type", "/sys/hypervisor/type", text_file },
		{ "product", "/sys/class/dmi/id/product_name", text_file },
		{ "vendor", "/sys/class/dmi/id/sys_vendor", text_file },
		{ "bios", "/sys/class/dmi/id/bios_version", text_file },
	};
	json_t *object = OBJECT_OF(root, members);
	char path[512];

	snprintf(path, sizeof(path), "%s/.dockerenv", root);
	json_object_set_new(object, "docker", json_boolean(access(path, F_OK) == 0));
	snprintf(path, sizeof(path), "%s/run/.containerenv", root);
	json_object_set_new(object, "podman", json_boolean(access(path, F_OK) == 0));
	return object;
}

static json_t *limit(int resource)
{
	struct rlimit r;

	if (getrlimit(resource, &r) != 0 || r.rlim_cur == RLIM_INFINITY)
		return json_null();
	return json_integer((json_int_t)r.rlim_cur);
}

static json_t *process(void)
{
	return json_pack("{si sb so so so so}", "uid", (int)geteuid(), "aslr_before", aslr_is_on(),
			 "open_files_limit", limit(RLIMIT_NOFILE),
			 "processes_limit", limit(RLIMIT_NPROC),
			 "stack_limit_bytes", limit(RLIMIT_STACK),
			 "locked_memory_limit_bytes", limit(RLIMIT_MEMLOCK));
}

static json_t *build(void)
{
	char hwloc[32];
	unsigned int v = hwloc_get_api_version();

	snprintf(hwloc, sizeof(hwloc), "%u.%u.%u", v >> 16, v >> 8 & 0xff, v & 0xff);
	return json_pack("{ss ss ss ss ss ss}", "knee", build_version, "compiler", build_compiler,
			 "cflags", build_cflags, "libc", gnu_get_libc_version(), "hwloc_api", hwloc,
			 "jansson", jansson_version_str());
}

json_t *environment_json(const char *root, const struct topo *topology, const char *dir)
{
	char fs[FILE_FSTYPE_MAX];

	return json_pack("{ss so so so so so so so so s{so ss} so}",
		"schema", "knee-machine/1", "kernel", kernel(root), "cpu", cpu(root),
		"memory", memory(root), "topology", topo_json(topology),
		"cgroup", cgroups(root), "load", load(root),
		"virtualisation", virtualisation(root), "process", process(),
		"scratch", "dir", json_text(dir), "fs", file_fstype(fs, dir), "build", build());
}
