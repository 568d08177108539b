// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ftdamage: ftdump on a dump that is damaged in many ways, one after another.
 * For tests; see docs/testing.md.
 */
#include <defs.h>

#include <limits.h>

#include "damage/onepage.h"
#include "damage/sweep.h"
#include "vmcore/vmcore-crash.h"

/* clang-format off */
static char *help_ftdamage[] = {
	"ftdamage",
	"try ftdump on a damaged dump",
	("-d dir [-s first] [-n count] [-k class,...] [-e each] [-v]\n"
	 "  ftdamage -p -d dir [-s seed] [-e each] [-v]"),

	"  For each seed, what ftdump reads is damaged in another way, in memory",
	"  only, and ftdump must neither fail nor keep silent about what is lost.",
	"",
	"  With -p each sub-buffer of the ring buffers is damaged by itself, in many",
	"  ways, and nothing else may be lost.",
	"",
	"    -d  a folder for files, not shared with another run.",
	"    -s  the first seed, 1 if not given.",
	"    -n  how many seeds, 1 if not given.",
	"    -k  damage only these: data, ring, array, event, link, text, other.",
	"    -e  leave the file of each so many'th seed, or page, in the folder.",
	"    -v  show each damage, and what ftdump says.",
	NULL
};
/* clang-format on */

/* Names separated by commas as a bit each; 0: one is unknown. */
static unsigned int classes_of(char *names)
{
	unsigned int classes = 0;
	char *save = NULL;

	for (char *name = strtok_r(names, ",", &save); name;
	     name = strtok_r(NULL, ",", &save)) {
		int c = 0;

		while (c < DMG_CLASSES && strcmp(name, dmg_class_names[c]) != 0)
			c++;
		if (c == DMG_CLASSES)
			return 0;
		classes |= 1u << c;
	}
	return classes;
}

static void cmd_ftdamage(void)
{
	struct dmg_sweep_options opt = {
		.first = 1,
		.count = 1,
		.classes = (1u << DMG_CLASSES) - 1,
	};
	bool single = false;
	int c;

	while ((c = getopt(argcnt, args, "d:s:n:k:e:pv")) != EOF) {
		switch (c) {
		case 'd':
			opt.dir = optarg;
			break;
		case 's':
			opt.first = strtoull(optarg, NULL, 10);
			break;
		case 'n':
			opt.count = strtoull(optarg, NULL, 10);
			break;
		case 'k':
			opt.classes = classes_of(optarg);
			break;
		case 'e':
			opt.keep = strtoull(optarg, NULL, 10);
			break;
		case 'p':
			single = true;
			break;
		case 'v':
			opt.verbose = true;
			break;
		default:
			argerrs++;
			break;
		}
	}
	if (argerrs || args[optind] || !opt.dir || !opt.classes)
		cmd_usage(pc->curcmd, SYNOPSIS);

	vm_crash_begin();
	if (single)
		dmg_onepage(vm_crash(),
			    &(struct dmg_onepage_options){
				    .seed = opt.first,
				    .dir = opt.dir,
				    .keep = opt.keep,
				    .verbose = opt.verbose,
			    },
			    fp);
	else
		dmg_sweep(vm_crash(), &opt, fp);
	vm_crash_end();
}

static struct command_table_entry command_table[] = {
	{ "ftdamage", cmd_ftdamage, help_ftdamage, 0 },
	{ NULL },
};

static void __attribute__((constructor)) ftdamage_register(void)
{
	register_extension(command_table);
}
