/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracefs_dir.h"

#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>

const char *tracefs_dir(void)
{
	static char dir[PATH_MAX];
	FILE *mounts = setmntent("/proc/self/mounts", "r");
	const struct mntent *mount;

	dir[0] = '\0';
	while (mounts && (mount = getmntent(mounts)))
		if (strcmp(mount->mnt_type, "tracefs") == 0 && strlen(mount->mnt_dir) < sizeof(dir))
			strcpy(dir, mount->mnt_dir);
	if (mounts)
		endmntent(mounts);
	return dir[0] ? dir : NULL;
}
