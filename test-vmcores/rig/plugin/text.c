// SPDX-License-Identifier: GPL-2.0-or-later
#include <glib.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "log.h"
#include "text.h"

#define PAGE_BYTES 4096ul

static GHashTable *pages; /* by their number, a uint64_t */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint32_t *page_at(uint64_t addr)
{
	uint64_t number = addr / PAGE_BYTES;
	uint32_t *page;

	if (!pages)
		pages = g_hash_table_new(g_int64_hash, g_int64_equal);
	page = g_hash_table_lookup(pages, &number);
	if (!page) {
		page = g_malloc0(PAGE_BYTES);
		g_hash_table_insert(pages, g_memdup2(&number, sizeof(number)),
				    page);
	}
	return page;
}

/* No instruction that can be executed is 0. */
void text_add(uint64_t addr, uint32_t opcode)
{
	uint32_t *word;

	pthread_mutex_lock(&lock);
	word = &page_at(addr)[addr % PAGE_BYTES / 4];
	if (*word && *word != opcode)
		log_say("text: at 0x%" PRIx64 " was %08x, is %08x", addr, *word,
			opcode);
	*word = opcode;
	pthread_mutex_unlock(&lock);
}

static FILE *open_in(const char *dir, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return fopen(path, "w");
}

bool text_save(const char *dir)
{
	FILE *bin = open_in(dir, "text.bin"), *map = open_in(dir, "text.map");
	GHashTableIter i;
	gpointer key, page;
	bool ok = bin && map;

	pthread_mutex_lock(&lock);
	if (ok && pages) {
		g_hash_table_iter_init(&i, pages);
		while (g_hash_table_iter_next(&i, &key, &page)) {
			ok &= fwrite(page, PAGE_BYTES, 1, bin) == 1;
			fprintf(map, "%" PRIx64 "\n",
				*(uint64_t *)key * PAGE_BYTES);
		}
	}
	pthread_mutex_unlock(&lock);
	if (bin)
		ok &= fclose(bin) == 0;
	if (map)
		ok &= fclose(map) == 0;
	return ok;
}
