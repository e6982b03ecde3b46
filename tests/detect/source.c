/* Training and validation that read the same files. */
/* SPDX-License-Identifier: MIT */
#include "used.h"

#include "stalldoc/message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct used used;

static const struct candidate *found(const char *train, const char *validation)
{
    static const struct message_row rows[] = {{.id = "source-train"}, {.id = "source-validation"}};
    static struct message messages[2];
    messages[0] = (struct message){.row = &rows[0], .line = text_of(train), .step = STEP_NONE};
    messages[1] = (struct message){.row = &rows[1], .line = text_of(validation), .step = STEP_NONE};
    used_begin(&used);
    used.run.messages = messages;
    used.run.message_count = 2;
    return used_run(&used, "source", "same-files", 0, NULL);
}

static void the_same_files_for_both(void **state)
{
    (void)state;
    assert_non_null(found("train: Scanning E:\\my data\\labels.cache... 412 images, 0 backgrounds",
                          "val: Scanning E:\\my data\\labels.cache... 412 images, 0 backgrounds"));
    used_end(&used);
    assert_non_null(found("train: Scanning '/d/all.cache' images and labels... 41 found",
                          "val: Scanning '/d/all.cache' images and labels... 41 found"));
    used_end(&used);
    assert_non_null(found("Loading training data from /d/all.csv (900 rows)",
                          "Loading validation data from /d/all.csv (900 rows)"));
    used_end(&used);
}

static void silent_where_they_differ(void **state)
{
    (void)state;
    assert_null(found("train: Scanning /d/my data/train.cache... 412 images",
                      "val: Scanning /d/my data/val.cache... 412 images"));
    used_end(&used);
    assert_null(found("train: Scanning /d/coco128/labels/train2017... 128 images",
                      "val: Scanning /d/coco128/labels/train2017... 128 images"));
    used_end(&used);
    assert_null(
        found("Loading training data from /d/all.h5", "Loading validation data from /d/all.h5"));
    used_end(&used);
    assert_null(found("train data: 900", "val data: 900"));
    used_end(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_files_for_both),
        cmocka_unit_test(silent_where_they_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
