// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * usage: workload ROUNDS
 *        workload counter    prints CNTVCT
 *
 * A bit of everything that a program makes a CPU do: system calls, page faults
 * that are resolved and one that is not, signals, switches between processes,
 * calls by pointer, recursion deeper than a return stack, sleep.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned int signals;
static sigjmp_buf after_fault;

static void on_signal(int sig)
{
	(void)sig;
	signals++;
}

static void on_fault(int sig)
{
	(void)sig;
	siglongjmp(after_fault, 1);
}

static __attribute__((noinline)) unsigned int fib(unsigned int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static int by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void compute(unsigned int round)
{
	int row[64];

	for (int i = 0; i < 64; i++)
		row[i] = (i * 7919 + round * 31) % 257;
	qsort(row, 64, sizeof(*row), by_value);
	if (fib(9 + round % 3) == (unsigned int)row[0])
		signals++;
}

static void touch_pages(void)
{
	size_t size = 65536;
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return;
	for (size_t i = 0; i < size; i += 4096)
		p[i] = i;
	munmap(p, size);
}

static void fault(void)
{
	if (!sigsetjmp(after_fault, 1))
		*(volatile int *)8 = 1;
}

static void talk(void)
{
	char text[] = "through a pipe";
	int fd[2];
	pid_t pid;

	if (pipe(fd))
		return;
	pid = fork();
	if (!pid) {
		if (write(fd[1], text, sizeof(text)) < 0)
			_exit(1);
		_exit(0);
	}
	if (read(fd[0], text, sizeof(text)) > 0)
		waitpid(pid, NULL, 0);
	close(fd[0]);
	close(fd[1]);
}

static void read_file(void)
{
	char buf[512];
	int fd = open("/proc/self/stat", O_RDONLY);

	while (fd >= 0 && read(fd, buf, sizeof(buf)) > 0)
		;
	close(fd);
}

static void run_module(void)
{
	int fd = open("/sys/module/rig_load/parameters/run", O_WRONLY);

	if (fd >= 0 && write(fd, "50", 2) < 0)
		perror("module");
	close(fd);
}

static int print_counter(void)
{
	uint64_t now;

	__asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(now));
	printf("%llu\n", (unsigned long long)now);
	return 0;
}

int main(int argc, char **argv)
{
	unsigned int rounds = argc > 1 ? atoi(argv[1]) : 1;
	struct timespec nap = { .tv_nsec = 200000 };

	if (argc > 1 && !strcmp(argv[1], "counter"))
		return print_counter();
	signal(SIGUSR1, on_signal);
	signal(SIGSEGV, on_fault);
	for (unsigned int i = 0; i < rounds; i++) {
		compute(i);
		read_file();
		touch_pages();
		kill(getpid(), SIGUSR1);
		fault();
		talk();
		run_module();
		nanosleep(&nap, NULL);
	}
	return signals < rounds;
}
