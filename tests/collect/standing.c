/* Where checkpoints stand: what files and names say, and what is no step. */
/* SPDX-License-Identifier: MIT */
#include "collect/standing.h"

#include "check.h"
#include <stdbool.h>

struct named {
    const char *path;
    int64_t step, epoch, bare;
};

static void reads_steps_from_names(void **unused)
{
    (void)unused;
    static const struct named cases[] = {
        {"out/checkpoint-1500/model.safetensors", 1500, STEP_NONE, STEP_NONE},
        {"out/step_00200.pt", 200, STEP_NONE, STEP_NONE},
        {"epoch=3-step=120.ckpt", 120, 3, STEP_NONE},
        {"runs/iter_0000100/mp_rank_00/model_optim_rng.pt", 100, STEP_NONE, STEP_NONE},
        {"model.ckpt-22000.index", 22000, STEP_NONE, STEP_NONE},
        {"rl_model_100000_steps.zip", 100000, STEP_NONE, STEP_NONE},
        {"global_step1000/zero.pt", 1000, STEP_NONE, STEP_NONE},
        {"step100k.pt", 100000, STEP_NONE, STEP_NONE},
        {"weights.epoch_7.h5", STEP_NONE, 7, STEP_NONE},
        {"RollerBall-499994.pt", STEP_NONE, STEP_NONE, 499994},
        {"fold_3.pt", STEP_NONE, STEP_NONE, STEP_NONE},
        {"model-00001-of-00002.safetensors", STEP_NONE, STEP_NONE, STEP_NONE},
        {"resnet50.pth", STEP_NONE, STEP_NONE, STEP_NONE},
        {"weights_init.npz", 0, STEP_NONE, STEP_NONE},
        {"initialisation_of_7.npz", STEP_NONE, STEP_NONE, STEP_NONE},
        {"best.pt", STEP_NONE, STEP_NONE, STEP_NONE},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct standing standing;
        standing_begin(&standing);
        standing_path(&standing, text_of(cases[i].path));
        if (standing.step != cases[i].step || standing.epoch != cases[i].epoch)
            fail_msg("%s: step %lld epoch %lld", cases[i].path, (long long)standing.step,
                     (long long)standing.epoch);
        assert_true(cases[i].bare == standing.bare || cases[i].step != STEP_NONE);
    }
}

static void believes_the_file_before_its_name(void **unused)
{
    (void)unused;
    struct standing standing;
    standing_begin(&standing);
    standing_setting(&standing, TEXT("optimizer.state.0.step"), TEXT("7"));
    standing_path(&standing, TEXT("step_900.pt"));
    assert_int_equal(standing.step, 900); /* a new optimizer counts anew */
    standing_setting(&standing, TEXT("step"), TEXT("901"));
    standing_setting(&standing, TEXT("config.step"), TEXT("5"));
    assert_int_equal(standing.step, 901);
    standing_setting(&standing, TEXT("global_step"), TEXT("902"));
    standing_setting(&standing, TEXT("lr_schedulers.0.last_epoch"), TEXT("33"));
    assert_int_equal(standing.step, 902);
    assert_int_equal(standing.epoch, STEP_NONE);
}

static void takes_no_step_that_cannot_be_one(void **unused)
{
    (void)unused;
    struct standing standing;
    standing_begin(&standing);
    standing_setting(&standing, TEXT("step"), TEXT("-3"));
    standing_setting(&standing, TEXT("step"), TEXT("1.5"));
    standing_setting(&standing, TEXT("step"), TEXT("1e300"));
    standing_setting(&standing, TEXT("step"), TEXT("nan"));
    standing_setting(&standing, TEXT(""), TEXT("4"));
    standing_path(&standing, TEXT("step_99999999999999999999999999.pt"));
    assert_true(standing.step == STEP_NONE || standing.step > 0);
}

static void finds_the_folder_of_the_run(void **unused)
{
    (void)unused;
    assert_text(standing_home(TEXT("out/checkpoint-500/model.safetensors")), "out/");
    assert_text(standing_home(TEXT("run/checkpoints/epoch=1.ckpt")), "run/");
    assert_text(standing_home(TEXT("run/global_step9_universal/zero/fc.0.bias/fp32.pt")), "run/");
    assert_text(standing_home(TEXT("run/zeros/fc.0.bias/fp32.pt")), "run/zeros/fc.0.bias/");
    assert_text(standing_home(TEXT("run/iter_0000500/mp_rank_01/model_optim_rng.pt")), "run/");
    assert_text(standing_home(TEXT("run/a.pt")), "run/");
    assert_text(standing_home(TEXT("a.pt")), "");
    assert_true(standing_inside(TEXT("out/checkpoint-500/model.safetensors")));
    assert_false(standing_inside(TEXT("out/checkpoints/model.safetensors")));
}

static void is_sure_of_steps_that_are_called_so(void **unused)
{
    (void)unused;
    static const struct {
        const char *path;
        bool sure;
    } cases[] = {{"step_10.pt", true},
                 {"out/checkpoint-500/model.safetensors", true},
                 {"ckpt_3.pt", false},
                 {"net-3.pt", false}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct standing standing;
        standing_begin(&standing);
        standing_path(&standing, text_of(cases[i].path));
        assert_true(standing.sure == cases[i].sure);
        standing_setting(&standing, TEXT("global_step"), TEXT("30"));
        assert_true(standing.sure);
    }
}

static void masks_steps_and_nothing_else(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    assert_text(standing_line(&arena, TEXT("out/checkpoint-500/rank_0.pt")),
                "out/checkpoint-#/rank_0.pt");
    assert_text(standing_line(&arena, TEXT("net-3.pt")), "net-#.pt");
    assert_text(standing_line(&arena, TEXT("fold1.pt")), "fold1.pt");
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_steps_from_names),
        cmocka_unit_test(believes_the_file_before_its_name),
        cmocka_unit_test(takes_no_step_that_cannot_be_one),
        cmocka_unit_test(finds_the_folder_of_the_run),
        cmocka_unit_test(is_sure_of_steps_that_are_called_so),
        cmocka_unit_test(masks_steps_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
