/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "memcg_level.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cgroup.h"
#include "file.h"
#include "msg.h"
#include "num.h"
#include "scratch.h"
#include "words.h"

#define DEPTH_MAX 64
#define SIBLINGS_MAX 65536

/* A process runs one cell. */
static struct {
	const char *level;		/* NULL: none */
	struct scratch top;		/* the outermost new group */
	int version;
	char *path;			/* of the group whose figures are told; children count */
	char *before;			/* where the supervisor was */
	struct memcg inner;		/* that the supervisor enters */
	struct memcg *siblings;
	size_t nr_siblings;
	json_t *from, *to;
} cell = { .top.lock_fd = -1, .inner.fd = -1 };

/* ---- levels --------------------------------------------------------------------------------- */

/* The number in "depth4" or "child8": 0 if it is none. */
static uint64_t number_after(const char *level, const char *word, uint64_t max)
{
	const char *digits = words_after(level, word);
	uint64_t nr;

	return digits && num_parse_u64(digits, &nr) == 0 && nr <= max ? nr : 0;
}

static uint64_t depth_of(const char *level)
{
	return strcmp(level, "child") == 0 ? 1 : number_after(level, "depth", DEPTH_MAX);
}

static uint64_t siblings_of(const char *level)
{
	return number_after(level, "child", SIBLINGS_MAX);
}

uint64_t memcg_level_groups(const char *level)
{
	uint64_t siblings = siblings_of(level);

	return siblings ? siblings + 1 : depth_of(level);
}

static bool is_root(const char *level)
{
	return strcmp(level, "root") == 0;
}

bool memcg_level_is_valid(const char *level)
{
	return is_root(level) || depth_of(level) || siblings_of(level);
}

/*
 * A container's root need not be the root of the hierarchy: only that one has v1's release_agent,
 * and lacks v2's cgroup.type.
 */
static bool is_real_root(const struct cgroup *cg)
{
	char *path;
	bool exists;

	if (asprintf(&path, "%s/%s", cg->mount, cg->version == 1 ? "release_agent" : "cgroup.type") < 0)
		return false;
	exists = access(path, F_OK) == 0;
	free(path);
	return exists == (cg->version == 1);
}

static int check_root(char why[MEMCG_TEXT_MAX])
{
	struct cgroup cg;
	char *procs = NULL;
	int err = cgroup_find(&cg, "", "memory");

	if (err) {
		snprintf(why, MEMCG_TEXT_MAX, "no memory cgroups are mounted");
		return err;
	}
	if (!is_real_root(&cg)) {
		snprintf(why, MEMCG_TEXT_MAX, "%.200s is not the root memory cgroup", cg.mount);
		err = -ENOTSUP;
	} else if (!cg.path[0]) {
		err = 0;	/* it is there already */
	} else if (asprintf(&procs, "%s/cgroup.procs", cg.mount) < 0) {
		err = -ENOMEM;
	} else if (access(procs, W_OK) != 0) {
		err = -errno;
		snprintf(why, MEMCG_TEXT_MAX, "cannot leave memory cgroup %.200s for the root: %s",
			 cg.path, strerror(-err));
	}
	free(procs);
	cgroup_free(&cg);
	return err;
}

int memcg_level_check(const char *level, enum testcase_mode mode, char why[MEMCG_TEXT_MAX])
{
	char *parent;
	int version, err;

	if (siblings_of(level) && mode == MODE_THREADS) {
		snprintf(why, MEMCG_TEXT_MAX, "memcg=%s: threads share their memory, and its group", level);
		return -ENOTSUP;
	}
	if (is_root(level))
		return check_root(why);
	err = memcg_parent(&parent, &version, why);
	free(parent);
	return err;
}

/* ---- making and removing -------------------------------------------------------------------- */

static int open_root(void)
{
	char why[MEMCG_TEXT_MAX];
	struct cgroup cg;
	int err = check_root(why);

	if (err) {
		msg_error("memcg=root: %s", why);
		return err;
	}
	err = cgroup_find(&cg, "", "memory");
	if (err)
		return err;
	cell.version = cg.version;
	cell.path = strdup(cg.mount);
	cgroup_free(&cg);
	return cell.path ? memcg_open_path(&cell.inner, cell.path, cell.version) : -ENOMEM;
}

/* The outermost group is made and locked as a scratch directory is. */
static int make_top(void)
{
	char why[MEMCG_TEXT_MAX], *parent;
	int err = memcg_parent(&parent, &cell.version, why);

	if (err) {
		msg_error("memcg=%s: %s", cell.level, why);
		return err;
	}
	scratch_sweep_as(parent, memcg_remove_tree);
	err = scratch_create_as(&cell.top, parent, memcg_remove_tree);
	if (err)
		msg_error("cannot make a memory cgroup in %s: %s", parent, strerror(-err));
	free(parent);
	if (err)
		return err;
	memcg_oom_watch(cell.top.path);
	cell.path = strdup(cell.top.path);
	return cell.path ? memcg_open_path(&cell.inner, cell.path, cell.version) : -ENOMEM;
}

static int go_deeper(uint64_t depth)
{
	for (uint64_t i = 1; i < depth; i++) {
		const struct memcg above = cell.inner;
		char *path;
		int err = memcg_make(&cell.inner, &above, "deeper");

		close(above.fd);
		if (err)
			return err;
		if (asprintf(&path, "%s/deeper", cell.path) < 0)
			return -ENOMEM;
		free(cell.path);
		cell.path = path;
	}
	return 0;
}

static int make_siblings(uint64_t nr)
{
	int err = 0;

	cell.siblings = calloc(nr, sizeof(*cell.siblings));
	if (!cell.siblings)
		return -ENOMEM;
	for (uint64_t i = 0; !err && i < nr; i++) {
		char name[32];

		snprintf(name, sizeof(name), "child%" PRIu64, i);
		err = memcg_make(&cell.siblings[i], &cell.inner, name);
		cell.nr_siblings += !err;
	}
	return err;
}

static int make_groups(void)
{
	int err = make_top();

	if (err)
		return err;
	err = siblings_of(cell.level) ? make_siblings(siblings_of(cell.level))
				      : go_deeper(depth_of(cell.level));
	if (err)
		msg_error("memcg=%s: cannot make memory cgroups in %s: %s", cell.level,
			  cell.top.path, strerror(-err));
	return err;
}

int memcg_level_prepare(const char *level)
{
	struct cgroup cg;
	int err;

	if (!level)
		return 0;
	cell.level = level;
	err = cgroup_find(&cg, "", "memory");
	if (!err && asprintf(&cell.before, "%s%s", cg.mount, cg.path) < 0)
		err = -ENOMEM;
	cgroup_free(&cg);
	if (err) {
		msg_error("memcg=%s: %s", level, err == -ENOENT ? "no memory cgroups are mounted"
								: strerror(-err));
		return err;
	}
	err = is_root(level) ? open_root() : make_groups();
	/* Before the guardian is there nobody else removes them. */
	if (err && cell.top.path)
		scratch_remove(&cell.top);
	return err;
}

int memcg_level_remove(void)
{
	return scratch_remove(&cell.top);
}

/* ---- entering ------------------------------------------------------------------------------- */

int memcg_level_enter(void)
{
	int err;

	if (!cell.level || cell.nr_siblings)
		return 0;
	err = memcg_enter(&cell.inner);
	if (err)
		msg_error("memcg=%s: cannot enter %s: %s", cell.level, cell.path, strerror(-err));
	return err;
}

int memcg_level_enter_task(unsigned long nr)
{
	return cell.nr_siblings ? memcg_enter(&cell.siblings[nr % cell.nr_siblings]) : 0;
}

void memcg_level_leave(void)
{
	struct memcg before;

	if (!cell.level || cell.nr_siblings)
		return;
	if (memcg_open_path(&before, cell.before, cell.version) != 0 || memcg_enter(&before) != 0)
		msg_error("memcg=%s: cannot go back to %s: %s", cell.level, cell.before,
			  strerror(errno));
	close(before.fd);
}

/* ---- what happened there -------------------------------------------------------------------- */

static void set_number(json_t *object, const char *name, uint64_t value)
{
	json_object_set_new(object, name, json_integer((json_int_t)value));
}

/* Lines of NAME VALUE. v1 tells a group with those below it under names that start with total_. */
static void take_lines(json_t *object, const char *file, bool totals)
{
	char *text, *rest, *line;

	if (file_read(&text, cell.path, "/%s", file) != 0)
		return;
	for (rest = text; (line = strsep(&rest, "\n"));) {
		char *name = strsep(&line, " ");

		if (totals && strncmp(name, "total_", 6) != 0)
			continue;
		if (line)
			set_number(object, totals ? name + 6 : name, strtoull(line, NULL, 10));
	}
	free(text);
}

static void take_number(json_t *object, const char *name, const char *file)
{
	uint64_t value;

	if (file_read_u64(&value, cell.path, "/%s", file) == 0)
		set_number(object, name, value);
}

/* "some avg10=0.00 avg60=0.00 avg300=0.00 total=1234", in microseconds, and "full ...". */
static void take_pressure(json_t *object)
{
	char *text, *rest, *line, *total;

	if (file_read(&text, cell.path, "/memory.pressure") != 0)
		return;
	for (rest = text; (line = strsep(&rest, "\n"));) {
		char *name = strsep(&line, " ");

		total = line ? strstr(line, "total=") : NULL;
		if (total)
			set_number(object, name, strtoull(total + 6, NULL, 10));
	}
	free(text);
}

static json_t *read_stat(void)
{
	json_t *stat = json_object();

	take_lines(stat, "memory.stat", cell.version == 1);
	if (cell.version == 1) {
		take_number(stat, "kernel", "memory.kmem.usage_in_bytes");
		take_number(stat, "sock", "memory.kmem.tcp.usage_in_bytes");
		take_number(stat, "usage", "memory.usage_in_bytes");
	} else {
		take_number(stat, "usage", "memory.current");
	}
	return stat;
}

static json_t *read_events(void)
{
	json_t *events = json_object();

	if (cell.version == 1) {
		take_lines(events, "memory.oom_control", false);
		json_object_del(events, "oom_kill_disable");
		json_object_del(events, "under_oom");
		take_number(events, "max", "memory.failcnt");
	} else {
		take_lines(events, "memory.events", false);
	}
	return events;
}

static json_t *read_all(void)
{
	json_t *pressure = json_object();

	take_pressure(pressure);
	return json_pack("{so so so}", "stat", read_stat(), "events", read_events(),
			 "pressure_us", pressure);
}

/* What has changed: numbers that may be negative. */
static json_t *difference(const json_t *from, json_t *to)
{
	json_t *changed = json_object(), *value;
	const char *name;

	json_object_foreach(to, name, value) {
		json_int_t delta = json_integer_value(value) -
				   json_integer_value(json_object_get(from, name));

		if (delta)
			json_object_set_new(changed, name, json_integer(delta));
	}
	return changed;
}

void memcg_level_begin(void)
{
	if (cell.level)
		cell.from = read_all();
}

void memcg_level_end(void)
{
	if (cell.level)
		cell.to = read_all();
}

json_t *memcg_level_json(void)
{
	json_t *told, *part;
	const char *name;

	if (!cell.level)
		return json_null();
	told = json_pack("{ss sI ss}", "level", cell.level, "version", (json_int_t)cell.version,
			 "path", cell.path);
	json_object_foreach(cell.to, name, part)
		json_object_set_new(told, name, difference(json_object_get(cell.from, name), part));
	return told;
}

/* ---- groups that are removed and not gone ---------------------------------------------------- */

/* The directories below @fd, which it closes, and itself; a group that vanishes meanwhile is none. */
static uint64_t count_directories(int fd)
{
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;
	uint64_t nr = 1;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	while ((e = readdir(dir)))
		if (e->d_type == DT_DIR && e->d_name[0] != '.')
			nr += count_directories(openat(dirfd(dir), e->d_name,
						       O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	closedir(dir);
	return nr;
}

/* /proc/cgroups: NAME, HIERARCHY, GROUPS, ENABLED. */
static int count_groups(uint64_t *nr)
{
	char *text, *at;
	int err = file_read(&text, "", "/proc/cgroups");

	if (err)
		return err;
	at = strstr(text, "\nmemory\t");
	err = at && sscanf(at, "\nmemory\t%*u\t%" SCNu64, nr) == 1 ? 0 : -EINVAL;
	free(text);
	return err;
}

static int dying_in(const struct cgroup *cg, uint64_t *nr)
{
	uint64_t there;
	char *text;
	int err;

	if (!is_real_root(cg))
		return -ENOTSUP;
	if (cg->version == 1) {
		err = count_groups(nr);
		there = count_directories(open(cg->mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
		*nr = *nr > there ? *nr - there : 0;
		return err;
	}
	err = file_read(&text, cg->mount, "/cgroup.stat");
	if (err)
		return err;
	err = file_key_u64(text, "nr_dying_descendants", nr);
	free(text);
	return err;
}

int memcg_level_dying(uint64_t *nr)
{
	struct cgroup cg;
	int err = cgroup_find(&cg, "", "memory");

	*nr = 0;
	if (err)
		return err;
	err = dying_in(&cg, nr);
	cgroup_free(&cg);
	return err;
}
