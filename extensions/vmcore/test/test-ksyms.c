// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's own symbol tables, and vmlinux's where they cannot be used. */
#include "test/ksyms-builder.h"
#include "test/said.h"
#include "test/unit.h"
#include "vmcore/ksyms.h"

#define WILD 0xdead000000000100ull

static const struct kb_symbol core[] = {
	{ 0x1000, 'A', "fixed_percpu_data" },
	{ KB_STEXT, 'T', "_stext" },
	{ KB_STEXT, 'T', "startup_64" },
	{ KB_STEXT + 0x40, 'T', "do_one_initcall" },
	{ KB_STEXT + 0x80, 't', "free_area_init_core.isra.0" },
	{ KB_STEXT + 0x100, 'T', "__x64_sys_close" },
	{ KB_STEXT + 0x1234560, 'D', "init_task" },
	{ 0 },
};

/* Without what lies below the text, for encodings that cannot have it. */
static const struct kb_symbol *text_only = core + 1;

static struct mock *m;
static struct said said;
static char *got;
static unsigned int given, enough;

static int setup(void **state)
{
	(void)state;
	m = mock_create();
	said_init(&said);
	got = NULL;
	given = 0;
	enough = ~0u;
	mock_ksym(m, KB_STEXT, 'T', "from_vmlinux", NULL);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	free(got);
	mock_destroy(m);
	return 0;
}

static bool receive(void *arg, const struct vm_symbol *sym)
{
	fprintf(arg, "%llx %c %s%s%s\n", (unsigned long long)sym->addr,
		sym->type, sym->name, sym->module ? " " : "",
		sym->module ? sym->module : "");
	return ++given < enough;
}

static bool walk(void)
{
	size_t len;
	FILE *f;
	bool whole;

	free(got);
	got = NULL;
	f = open_memstream(&got, &len);
	whole = vm_ksyms(&m->vm, &said.diag, receive, f);
	fclose(f);
	return whole;
}

#define TEXT_SYMBOLS                                      \
	"ffffffff81000000 T _stext\n"                     \
	"ffffffff81000000 T startup_64\n"                 \
	"ffffffff81000040 T do_one_initcall\n"            \
	"ffffffff81000080 t free_area_init_core.isra.0\n" \
	"ffffffff81000100 T __x64_sys_close\n"            \
	"ffffffff82234560 D init_task\n"

TEST(absolute_addresses_are_read)
{
	kb_core(m, KB_ABSOLUTE, core);
	assert_true(walk());
	assert_string_equal(got, "1000 A fixed_percpu_data\n" TEXT_SYMBOLS);
	assert_int_equal(said.lines, 0);
}

TEST(offsets_from_a_base_are_read)
{
	kb_core(m, KB_RELATIVE, text_only);
	assert_true(walk());
	assert_string_equal(got, TEXT_SYMBOLS);
	assert_int_equal(said.lines, 0);
}

TEST(absolute_per_cpu_symbols_are_told_by_their_sign)
{
	kb_core(m, KB_RELATIVE_PERCPU, core);
	assert_true(walk());
	assert_string_equal(got, "1000 A fixed_percpu_data\n" TEXT_SYMBOLS);
	assert_int_equal(said.lines, 0);
}

TEST(offsets_from_their_own_place_are_read)
{
	kb_core(m, KB_FROM_ITSELF, text_only);
	assert_true(walk());
	assert_string_equal(got, TEXT_SYMBOLS);
	assert_int_equal(said.lines, 0);
}

/* Since 6.1 a name may have more than 127 bytes of tokens. */
TEST(long_name_has_a_length_of_two_bytes)
{
	char name[401], want[512];
	const struct kb_symbol symbols[] = {
		{ KB_STEXT, 'T', "_stext" },
		{ KB_STEXT + 8, 'T', name },
		{ KB_STEXT + 16, 'T', "next" },
		{ 0 },
	};

	memset(name, 'n', 400);
	name[400] = 0;
	kb_core(m, KB_RELATIVE, symbols);
	assert_true(walk());
	snprintf(want, sizeof(want),
		 "ffffffff81000000 T _stext\nffffffff81000008 T %s\n"
		 "ffffffff81000010 T next\n",
		 name);
	assert_string_equal(got, want);
}

TEST(receiver_can_stop)
{
	kb_core(m, KB_RELATIVE, text_only);
	enough = 3;
	assert_false(walk());
	assert_int_equal(given, 3);
	assert_int_equal(said.lines, 0);
}

TEST(without_a_table_vmlinux_serves)
{
	assert_true(walk());
	assert_string_equal(got, "ffffffff81000000 T from_vmlinux\n");
	assert_true(said_has(&said, "vmlinux"));
}

TEST(table_that_contradicts_stext_is_not_believed)
{
	kb_core(m, KB_RELATIVE, text_only);
	mock_symbol(m, "_stext", KB_STEXT + 0x200000);
	assert_true(walk());
	assert_string_equal(got, "ffffffff81000000 T from_vmlinux\n");
	assert_true(said_has(&said, err_str(ERR_BAD_DATA)));
}

TEST(missing_names_leave_vmlinux)
{
	mock_hide(m, kb_core(m, KB_RELATIVE, text_only), ERR_MISSING);
	assert_true(walk());
	assert_string_equal(got, "ffffffff81000000 T from_vmlinux\n");
	assert_true(said_has(&said, err_str(ERR_MISSING)));
}

/* The two tables must not be mixed: names of one address would come twice. */
TEST(table_that_ends_early_gives_nothing_of_its_own)
{
	static char name[3000];
	struct kb_symbol symbols[16] = { { KB_STEXT, 'T', "_stext" } };
	uint64_t names;

	/* Names of 400 bytes: the second page of them is missing. */
	memset(name, 'n', 400);
	for (int i = 1; i < 15; i++)
		symbols[i] =
			(struct kb_symbol){ KB_STEXT + 8ull * i, 'T', name };
	names = kb_core(m, KB_RELATIVE, symbols);
	mock_hide(m, names + MOCK_PAGE, ERR_MISSING);
	assert_true(walk());
	assert_string_equal(got, "ffffffff81000000 T from_vmlinux\n");
	assert_true(said_has(&said, err_str(ERR_MISSING)));
}

TEST(wild_number_of_symbols_is_damage)
{
	uint64_t count;

	kb_core(m, KB_RELATIVE, text_only);
	m->vm.ops->symbol(m, "kallsyms_num_syms", &count);
	mock_put(m, count, 0xffffffff, 4);
	assert_true(walk());
	assert_string_equal(got, "ffffffff81000000 T from_vmlinux\n");
	assert_in_range(m->reads, 0, 10);
}

TEST(number_that_is_too_large_ends_with_the_names)
{
	uint64_t count;

	kb_core(m, KB_RELATIVE, text_only);
	m->vm.ops->symbol(m, "kallsyms_num_syms", &count);
	mock_put(m, count, 1000000, 4);
	assert_true(walk());
	assert_string_equal(got, "ffffffff81000000 T from_vmlinux\n");
	assert_in_range(m->reads, 0, 2000);
}

TEST(wild_token_index_is_damage)
{
	uint64_t index;

	kb_core(m, KB_RELATIVE, text_only);
	m->vm.ops->symbol(m, "kallsyms_token_index", &index);
	mock_put(m, index + 2ul * '_', 0xffff, 2);
	assert_true(walk());
	assert_string_equal(got, "ffffffff81000000 T from_vmlinux\n");
}

/* Modules follow the kernel's own symbols; those are cut off here. */
static const char *of_modules(void)
{
	const char *end;

	walk();
	assert_int_equal(strncmp(got, TEXT_SYMBOLS, strlen(TEXT_SYMBOLS)), 0);
	end = got + strlen(TEXT_SYMBOLS);
	return end;
}

static const struct kb_symbol mod_symbols[] = {
	{ 0xffffffffc0002000ull, 'd', "mod_data" },
	{ 0xffffffffc0000010ull, 't', "mod_exit.cold" },
	{ 0xffffffffc0000000ull, 't', "$x" },
	{ 0xffffffffc0000000ull, 't', "mod_init" },
	{ 0xffffffffc0000000ull, 't', "init_module" },
	{ 0 },
};

#define MOD_SYMBOLS(mod)                             \
	"ffffffffc0000000 t mod_init " mod "\n"      \
	"ffffffffc0000000 t init_module " mod "\n"   \
	"ffffffffc0000010 t mod_exit.cold " mod "\n" \
	"ffffffffc0002000 d mod_data " mod "\n"

TEST(symbols_of_modules_come_by_address_without_imports)
{
	uint64_t list = kb_modules_init(m);

	kb_core(m, KB_RELATIVE, text_only);
	kb_module(m, list, "sample", mod_symbols);
	assert_string_equal(of_modules(), MOD_SYMBOLS("sample"));
	assert_int_equal(said.lines, 0);
}

TEST(module_without_symbols_is_fine)
{
	static const struct kb_symbol none[] = { { 0 } };
	uint64_t list = kb_modules_init(m);

	kb_core(m, KB_RELATIVE, text_only);
	kb_module(m, list, "bare", none);
	kb_module(m, list, "sample", mod_symbols);
	assert_string_equal(of_modules(), MOD_SYMBOLS("sample"));
	assert_int_equal(said.lines, 0);
}

TEST(damaged_module_costs_only_itself)
{
	static const char *const members[] = { "symtab", "strtab", "typetab" };

	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		uint64_t list, bad;

		teardown(NULL);
		setup(NULL);
		list = kb_modules_init(m);
		kb_core(m, KB_RELATIVE, text_only);
		bad = kb_module(m, list, "bad", mod_symbols);
		kb_module(m, list, "good", mod_symbols);
		mock_set(m, bad, "mod_kallsyms", members[i], WILD);
		assert_string_equal(of_modules(), MOD_SYMBOLS("good"));
		assert_int_equal(said.lines, 1);
		assert_true(said_has(&said, "module bad"));
	}
}

TEST(wild_number_of_module_symbols_is_damage)
{
	uint64_t list = kb_modules_init(m), bad;

	kb_core(m, KB_RELATIVE, text_only);
	bad = kb_module(m, list, "bad", mod_symbols);
	mock_set(m, bad, "mod_kallsyms", "num_symtab", 0x7fffffff);
	assert_string_equal(of_modules(), "");
	assert_true(said_has(&said, err_str(ERR_BAD_DATA)));
}

TEST(wild_name_of_a_module_symbol_costs_only_that_module)
{
	uint64_t list = kb_modules_init(m), bad, symtab;

	kb_core(m, KB_RELATIVE, text_only);
	bad = kb_module(m, list, "bad", mod_symbols);
	kb_module(m, list, "good", mod_symbols);
	symtab = mock_get_ulong(m, bad);
	mock_put(m, symtab + 3 * 24ul, 0xfffffff0, 4);
	assert_string_equal(of_modules(), MOD_SYMBOLS("good"));
}

TEST(bent_list_of_modules_ends)
{
	uint64_t list = kb_modules_init(m), node;

	kb_core(m, KB_RELATIVE, text_only);
	kb_module(m, list, "one", mod_symbols);
	kb_module(m, list, "two", mod_symbols);
	node = mock_get_ulong(m, list + MOCK_LONG);
	mock_put_ulong(m, node, node);
	of_modules();
	assert_non_null(strstr(got, MOD_SYMBOLS("one") MOD_SYMBOLS("two")));
	assert_true(said_has(&said, "modules"));
	assert_in_range(m->reads, 1, 200);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(absolute_addresses_are_read),
		CASE(offsets_from_a_base_are_read),
		CASE(absolute_per_cpu_symbols_are_told_by_their_sign),
		CASE(offsets_from_their_own_place_are_read),
		CASE(long_name_has_a_length_of_two_bytes),
		CASE(receiver_can_stop),
		CASE(without_a_table_vmlinux_serves),
		CASE(table_that_contradicts_stext_is_not_believed),
		CASE(missing_names_leave_vmlinux),
		CASE(table_that_ends_early_gives_nothing_of_its_own),
		CASE(wild_number_of_symbols_is_damage),
		CASE(number_that_is_too_large_ends_with_the_names),
		CASE(wild_token_index_is_damage),
		CASE(symbols_of_modules_come_by_address_without_imports),
		CASE(module_without_symbols_is_fine),
		CASE(damaged_module_costs_only_itself),
		CASE(wild_number_of_module_symbols_is_damage),
		CASE(wild_name_of_a_module_symbol_costs_only_that_module),
		CASE(bent_list_of_modules_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
