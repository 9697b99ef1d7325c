/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hwloc, linked in statically, asks libudev for the names of disks, of which knee wants none. These
 * answer that there is no udev. Linking the library instead would give every task of every
 * testcase its five mappings to copy at fork.
 */
#include <stddef.h>

void *udev_new(void);
void *udev_unref(void *udev);
void *udev_device_new_from_subsystem_sysname(void *udev, const char *subsystem, const char *name);
const char *udev_device_get_property_value(void *device, const char *key);
void *udev_device_unref(void *device);

void *udev_new(void)
{
	return NULL;
}

void *udev_unref(void *udev)
{
	return udev;
}

void *udev_device_new_from_subsystem_sysname(void *udev, const char *subsystem, const char *name)
{
	(void)udev;
	(void)subsystem;
	(void)name;
	return NULL;
}

const char *udev_device_get_property_value(void *device, const char *key)
{
	(void)device;
	(void)key;
	return NULL;
}

void *udev_device_unref(void *device)
{
	return device;
}
