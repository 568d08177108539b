// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * usage: perf-session SINK OUTFILE COMMAND...
 *
 * What perf record -e cs_etm/@SINK/ -- COMMAND does: traces the command as it
 * is scheduled, takes its trace out of the AUX buffer when it has ended, and
 * writes that to OUTFILE.
 */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define DATA_PAGES 8
#define AUX_PAGES  256

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static unsigned long read_number(const char *path, int base)
{
	char text[64] = "";
	FILE *f = fopen(path, "r");

	if (!f || !fgets(text, sizeof(text), f))
		die(path);
	fclose(f);
	return strtoul(text, NULL, base);
}

/* Which bit of the event's config an option is. */
static uint64_t format_bit(const char *option)
{
	char path[128];
	unsigned int bit;
	FILE *f;

	snprintf(path, sizeof(path),
		 "/sys/bus/event_source/devices/cs_etm/format/%s", option);
	f = fopen(path, "r");
	if (!f || fscanf(f, "config:%u", &bit) != 1)
		die(path);
	fclose(f);
	return 1ull << bit;
}

static pid_t start(char **command, int *go)
{
	int fd[2];
	pid_t pid;
	char c;

	if (pipe(fd))
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		close(fd[1]);
		if (read(fd[0], &c, 1) != 1)
			_exit(1);
		execv(command[0], command);
		_exit(127);
	}
	close(fd[0]);
	*go = fd[1];
	return pid;
}

static int open_event(pid_t pid, const char *sink, int group)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.disabled = 1,
		.enable_on_exec = 1,
		.config = format_bit("timestamp") | format_bit("contextid"),
	};
	char path[128];

	attr.type = read_number("/sys/bus/event_source/devices/cs_etm/type", 10);
	snprintf(path, sizeof(path),
		 "/sys/bus/event_source/devices/cs_etm/sinks/%s", sink);
	attr.config2 = read_number(path, 16);
	return syscall(SYS_perf_event_open, &attr, pid, -1, group, 0);
}

static void save(const char *path, const uint8_t *aux, uint64_t from,
		 uint64_t to, uint64_t size)
{
	FILE *f = fopen(path, "w");

	if (!f)
		die(path);
	for (; from < to; from++)
		putc(aux[from % size], f);
	if (fclose(f))
		die(path);
}

int main(int argc, char **argv)
{
	long page = sysconf(_SC_PAGESIZE);
	uint64_t size = AUX_PAGES * page, from;
	struct perf_event_mmap_page *meta;
	uint8_t *aux;
	int event, go, status;
	pid_t pid;

	if (argc < 4) {
		fprintf(stderr, "usage: perf-session SINK OUTFILE COMMAND...\n");
		return 2;
	}
	pid = start(argv + 3, &go);
	event = open_event(pid, argv[1], -1);
	if (event < 0)
		die("perf_event_open");
	meta = mmap(NULL, (1 + DATA_PAGES) * page, PROT_READ | PROT_WRITE,
		    MAP_SHARED, event, 0);
	if (meta == MAP_FAILED)
		die("mmap");
	meta->aux_offset = (1 + DATA_PAGES) * page;
	meta->aux_size = size;
	aux = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, event,
		   meta->aux_offset);
	if (aux == MAP_FAILED)
		die("mmap of the AUX buffer");
	if (write(go, "g", 1) != 1)
		die("write");
	waitpid(pid, &status, 0);
	ioctl(event, PERF_EVENT_IOC_DISABLE, 0);
	from = meta->aux_head > size ? meta->aux_head - size : 0;
	printf("perf-session: %llu bytes of AUX data\n",
	       (unsigned long long)meta->aux_head);
	save(argv[2], aux, from, meta->aux_head, size);
	return 0;
}
