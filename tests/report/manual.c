/* The pages of the catalogue, of causes of our own making. */
/* SPDX-License-Identifier: MIT */
#include "report/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { LONG = 5000, PAGE = 4 * LONG };

static void prints_long_titles_and_code_to_their_end(void **state)
{
    (void)state;
    static char code[LONG], title[LONG], page[PAGE];
    memset(code, 'c', sizeof(code) - 2);
    code[sizeof(code) - 2] = 'E';
    memset(title, 't', sizeof(title) - 2);
    title[sizeof(title) - 2] = 'F';
    const struct snippet snippet = {"pytorch", "python", code};
    const struct fix fix = {.title = title,
                            .numbers = "from 3 to 1",
                            .expect = "it falls",
                            .effort = "code",
                            .snippets = &snippet,
                            .snippet_count = 1};
    struct cause cause = {.id = "bad-batch",
                          .title = "batches are broken",
                          .meaning = "Some are.",
                          .fixes = &fix,
                          .fix_count = 1};
    const struct rules rules = {.causes = &cause, .cause_count = 1};
    FILE *file = tmpfile();
    assert_non_null(file);
    struct out out = {.file = file, .width = 80};
    catalogue_manual(&rules, true, &out);
    rewind(file);
    page[fread(page, 1, sizeof(page) - 1, file)] = '\0';
    fclose(file);
    assert_non_null(strstr(page, "ttF from 3 to 1.\nThen: it falls.\n"));
    assert_non_null(strstr(page, ".Bd -literal\n# PyTorch\nccc"));
    assert_non_null(strstr(page, "ccE\n.Ed\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_long_titles_and_code_to_their_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
