// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * usage: perf-session SINK OUTFILE COMMAND...
 *        perf-session -a SINK
 *
 * What perf record -e cs_etm/@SINK/ -- COMMAND does: traces the command as it
 * is scheduled, takes its trace out of the AUX buffer when it has ended, and
 * writes that to OUTFILE. With -a, what perf record -a does until it is told to
 * stop, and that is never.
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

/* Of a process that is about to begin, or (@pid is -1) of a CPU. */
static int open_event(pid_t pid, int cpu, const char *sink)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.disabled = 1,
		.enable_on_exec = pid != -1,
		.config = format_bit("timestamp") | format_bit("contextid"),
	};
	char path[128];

	attr.type = read_number("/sys/bus/event_source/devices/cs_etm/type", 10);
	snprintf(path, sizeof(path),
		 "/sys/bus/event_source/devices/cs_etm/sinks/%s", sink);
	attr.config2 = read_number(path, 16);
	return syscall(SYS_perf_event_open, &attr, pid, cpu, -1, 0);
}

/* The AUX buffer of an event; tracing can begin then. */
static uint8_t *map_event(int event, struct perf_event_mmap_page **meta)
{
	long page = sysconf(_SC_PAGESIZE);
	uint8_t *aux;

	*meta = mmap(NULL, (1 + DATA_PAGES) * page, PROT_READ | PROT_WRITE,
		     MAP_SHARED, event, 0);
	if (*meta == MAP_FAILED)
		die("mmap");
	(*meta)->aux_offset = (1 + DATA_PAGES) * page;
	(*meta)->aux_size = AUX_PAGES * page;
	aux = mmap(NULL, AUX_PAGES * page, PROT_READ | PROT_WRITE, MAP_SHARED,
		   event, (*meta)->aux_offset);
	if (aux == MAP_FAILED)
		die("mmap of the AUX buffer");
	return aux;
}

static _Noreturn void trace_all(const char *sink)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct perf_event_mmap_page *meta;
	int events[64];

	for (int i = 0; i < cpus && i < 64; i++) {
		events[i] = open_event(-1, i, sink);
		if (events[i] < 0)
			die("perf_event_open");
		map_event(events[i], &meta);
	}
	for (int i = 0; i < cpus && i < 64; i++)
		if (ioctl(events[i], PERF_EVENT_IOC_ENABLE, 0) < 0)
			die("PERF_EVENT_IOC_ENABLE");
	puts("perf-session: tracing");
	fflush(stdout);
	for (;;)
		pause();
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
	uint64_t size = AUX_PAGES * sysconf(_SC_PAGESIZE), from;
	struct perf_event_mmap_page *meta;
	uint8_t *aux;
	int event, go, status;
	pid_t pid;

	if (argc == 3 && !strcmp(argv[1], "-a"))
		trace_all(argv[2]);
	if (argc < 4) {
		fprintf(stderr, "usage: perf-session SINK OUTFILE COMMAND...\n"
				"       perf-session -a SINK\n");
		return 2;
	}
	pid = start(argv + 3, &go);
	event = open_event(pid, -1, argv[1]);
	if (event < 0)
		die("perf_event_open");
	aux = map_event(event, &meta);
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
