/* Names to kinds, places, phases and facts, with the vocabulary that is built in. */
/* SPDX-License-Identifier: MIT */
#include "read/vocabulary.h"
#include "embedded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;
static struct vocabulary *vocabulary;

static int load(void **state)
{
    (void)state;
    struct error error = {0};
    vocabulary = embedded_vocabulary(&arena, &error);
    if (!vocabulary)
        print_error("%s\n", error.message);
    return vocabulary ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static struct naming naming(const char *name)
{
    return vocabulary_naming(vocabulary, text_of(name), TEXT(""), PHASE_NONE);
}

struct kind_case {
    const char *name;
    enum kind kind;
};

static void kinds_are(const struct kind_case *cases, size_t count)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        enum kind kind = naming(cases[i].name).kind;
        if (kind == cases[i].kind)
            continue;
        print_error("%s: %s, not %s\n", cases[i].name, kind_name(kind), kind_name(cases[i].kind));
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

#define KINDS_ARE(cases) kinds_are(cases, sizeof(cases) / sizeof(cases[0]))

static void knows_losses(void **state)
{
    (void)state;
    static const struct kind_case cases[] = {
        {"loss", KIND_LOSS},
        {"lm loss", KIND_LOSS},
        {"train_loss", KIND_LOSS},
        {"Train loss/train/total", KIND_LOSS},
        {"train/CrossEntropyLoss", KIND_LOSS},
        {"main/loss", KIND_LOSS},
        {"validation/main/loss", KIND_VAL_LOSS},
        {"val_loss", KIND_VAL_LOSS},
        {"eval_loss", KIND_VAL_LOSS},
        {"valid_0's logloss", KIND_VAL_LOSS},
        {"tel", KIND_VAL_LOSS},
        {"Correct", KIND_METRIC},
        {"trl", KIND_LOSS},
        {"decode.loss_seg", KIND_LOSS},
        {"Losses/ner", KIND_LOSS},
        {"BoxScaleLoss", KIND_LOSS},
        {"kl_loss", KIND_LOSS},
        {"train-mlogloss", KIND_LOSS},
        {"test-mlogloss", KIND_VAL_LOSS},
        {"Loss/tok", KIND_LOSS},
        {"train_loss/word", KIND_LOSS},
        {"bits/dim", KIND_LOSS},
        {"nats/char", KIND_LOSS},
        {"ctc", KIND_LOSS},
        {"val_ctc", KIND_VAL_LOSS},
        {"aam", KIND_LOSS},
        {"val_nats_per_token", KIND_VAL_LOSS},
        {"Bit/dim", KIND_LOSS},
        {"model_loss", KIND_LOSS},
        {"L_out", KIND_LOSS},
        {"L_in", KIND_OTHER},
        {"xent", KIND_LOSS},
        {"Cost", KIND_LOSS},
        {"train/box_loss", KIND_LOSS},
        {"val/box_loss", KIND_VAL_LOSS},
        {"test_loss", KIND_VAL_LOSS},
        {"avg_loss", KIND_LOSS},
        {"loss_best", KIND_OTHER},
        {"loss_weight", KIND_OTHER},
        {"FOCAL.LOSS_GAMMA", KIND_OTHER},
        {"smooth_l1_loss_beta", KIND_OTHER},
        {"loss_type", KIND_OTHER},
        {"best_val_loss", KIND_OTHER},
    };
    KINDS_ARE(cases);
}

static void knows_adversarial_losses(void **state)
{
    (void)state;
    static const struct kind_case cases[] = {
        {"D_A", KIND_ADVERSARIAL},
        {"cycle_B", KIND_ADVERSARIAL},
        {"errD", KIND_ADVERSARIAL},
        {"LossG", KIND_ADVERSARIAL},
        {"d_loss", KIND_ADVERSARIAL},
        {"Actor Loss", KIND_ADVERSARIAL},
        {"train/critic_loss", KIND_ADVERSARIAL},
        {"discriminator loss", KIND_ADVERSARIAL},
        {"loss/discrim", KIND_ADVERSARIAL},
        {"loss_gen", KIND_ADVERSARIAL},
        {"G_GAN", KIND_ADVERSARIAL},
    };
    KINDS_ARE(cases);
}

static void knows_rates_and_norms(void **state)
{
    (void)state;
    static const struct kind_case cases[] = {
        {"lr", KIND_LEARNING_RATE},
        {"x/lr0", KIND_LEARNING_RATE},
        {"lr/pg0", KIND_LEARNING_RATE},
        {"lr/group0", KIND_LEARNING_RATE},
        {"learning_rate", KIND_LEARNING_RATE},
        {"learning rate", KIND_LEARNING_RATE},
        {"optim0_lr0", KIND_LEARNING_RATE},
        {"actor/lr", KIND_LEARNING_RATE},
        {"_base/lr", KIND_LEARNING_RATE},
        {"current_lr_0", KIND_LEARNING_RATE},
        {"train_lr", KIND_LEARNING_RATE},
        {"train/lr(1e-3)", KIND_LEARNING_RATE},
        {"rate", KIND_LEARNING_RATE},
        {"Lernrate", KIND_LEARNING_RATE},
        {"学习率", KIND_LEARNING_RATE},
        {"lr_mult", KIND_OTHER},
        {"base_lr", KIND_OTHER},
        {"min_lr", KIND_OTHER},
        {"grad_norm", KIND_GRAD_NORM},
        {"grad_step", KIND_OTHER},
        {"grad norm", KIND_GRAD_NORM},
        {"gnorm", KIND_GRAD_NORM},
        {"grdn", KIND_GRAD_NORM},
        {"gN", KIND_GRAD_NORM},
        {"|g_param|", KIND_GRAD_NORM},
        {"norm", KIND_GRAD_NORM},
        {"optim/total_grad_norm", KIND_GRAD_NORM},
        {"train/grad_norm", KIND_GRAD_NORM},
        {"actor/grad_norm", KIND_GRAD_NORM},
        {"params norm", KIND_OTHER},
        {"max_grad_norm", KIND_OTHER},
        {"loss scale", KIND_LOSS_SCALE},
        {"loss_scale", KIND_LOSS_SCALE},
        {"scaler", KIND_LOSS_SCALE},
    };
    KINDS_ARE(cases);
}

static void knows_metrics_and_rewards(void **state)
{
    (void)state;
    static const struct kind_case cases[] = {
        {"bits/char", KIND_METRIC},
        {"bits/byte", KIND_METRIC},
        {"acc", KIND_METRIC},
        {"accuracy", KIND_METRIC},
        {"val_accuracy", KIND_VAL_METRIC},
        {"Acc@1", KIND_METRIC},
        {"top1", KIND_METRIC},
        {"top-1", KIND_METRIC},
        {"val top-5", KIND_VAL_METRIC},
        {"accuracy/top-1", KIND_METRIC},
        {"prec-1", KIND_METRIC},
        {"hits-10", KIND_METRIC},
        {"tabletop-1", KIND_OTHER},
        {"layer-1", KIND_OTHER},
        {"mAP", KIND_METRIC},
        {"metrics/mAP50(B)", KIND_METRIC},
        {"metrics/mAP_0.5:0.95", KIND_METRIC},
        {"bbox_mAP", KIND_METRIC},
        {"mIoU", KIND_METRIC},
        {"HR@10", KIND_METRIC},
        {"Average Precision @[IoU=0.50:0.95|area=all|maxDets=100]", KIND_METRIC},
        {"loss @[lr=0.1]", KIND_LOSS},
        {"l_pix", KIND_LOSS},
        {"mean rms", KIND_LOSS},
        {"BCER train", KIND_METRIC},
        {"l_g_fea", KIND_LOSS},
        {"l_g_gan", KIND_ADVERSARIAL},
        {"l_d_real", KIND_ADVERSARIAL},
        {"eval_accuracy/value", KIND_VAL_METRIC},
        {"ppl", KIND_METRIC},
        {"eval_wer", KIND_VAL_METRIC},
        {"val_bpb", KIND_VAL_METRIC},
        {"test_acc1", KIND_VAL_METRIC},
        {"validation/main/accuracy", KIND_VAL_METRIC},
        {"rewards/accuracies", KIND_METRIC},
        {"rollout/ep_rew_mean", KIND_REWARD},
        {"AverageEpRet", KIND_REWARD},
        {"average-episode-return", KIND_REWARD},
        {"episode_reward_mean", KIND_REWARD},
        {"critic/rewards/mean", KIND_REWARD},
        {"ppo/mean_scores", KIND_REWARD},
        {"objective/scores", KIND_REWARD},
        {"critic/score/mean", KIND_REWARD},
        {"mean_score", KIND_METRIC},
        {"Mean Reward", KIND_REWARD},
        {"reward_threshold", KIND_OTHER},
        {"SCORE_THRESH_TEST", KIND_OTHER},
        {"model.iou_thresholds", KIND_OTHER},
        {"val_mean_io_u", KIND_VAL_METRIC},
        {"accuracy_thresh", KIND_METRIC},
        {"准确率", KIND_METRIC},
        {"验证准确率", KIND_VAL_METRIC},
    };
    KINDS_ARE(cases);
}

static void knows_the_machine(void **state)
{
    (void)state;
    static const struct kind_case cases[] = {
        {"sec/tick", KIND_STEP_TIME},
        {"ms/batch", KIND_STEP_TIME},
        {"train_speed(s/it)", KIND_STEP_TIME},
        {"time", KIND_STEP_TIME},
        {"iter_time", KIND_STEP_TIME},
        {"batch_cost", KIND_STEP_TIME},
        {"elapsed time per iteration (ms)", KIND_STEP_TIME},
        {"step_avg", KIND_STEP_TIME},
        {"dt", KIND_STEP_TIME},
        {"data_time", KIND_DATA_TIME},
        {"data", KIND_DATA_TIME},
        {"avg_reader_cost", KIND_DATA_TIME},
        {"loader_time", KIND_DATA_TIME},
        {"memory", KIND_MEMORY},
        {"max mem", KIND_MEMORY},
        {"memory(GiB)", KIND_MEMORY},
        {"gpumem", KIND_MEMORY},
        {"tps", KIND_THROUGHPUT},
        {"samples/sec", KIND_THROUGHPUT},
        {"tokens per second", KIND_THROUGHPUT},
        {"throughput per GPU (TFLOP/s/GPU)", KIND_THROUGHPUT},
        {"mfu", KIND_THROUGHPUT},
        {"time/fps", KIND_THROUGHPUT},
        {"gpu_util", KIND_UTILISATION},
        {"number of skipped iterations", KIND_COUNTER},
        {"number of nan iterations", KIND_COUNTER},
        {"consumed samples", KIND_COUNTER},
        {"elapsed_time", KIND_OTHER},
    };
    KINDS_ARE(cases);
    assert_int_equal(vocabulary_naming(vocabulary, TEXT("x"), TEXT("it/s"), PHASE_NONE).kind,
                     KIND_STEP_TIME);
    assert_int_equal(vocabulary_naming(vocabulary, TEXT("x"), TEXT("GiB"), PHASE_NONE).kind,
                     KIND_MEMORY);
}

static void refuses_bookkeeping(void **state)
{
    (void)state;
    static const char *const names[] = {"seed",  "port",          "lineno",
                                        "v_num", "batch_size",    "global_batch_size",
                                        "eta",   "remaining_time"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (!naming(names[i]).refused)
            fail_msg("%s is taken for a series", names[i]);
    assert_false(naming("loss").refused);
}

static void orders_losses_by_class(void **state)
{
    (void)state;
    assert_true(naming("loss").class == 0);
    assert_true(naming("total_loss").class == 0);
    assert_true(naming("train_loss_step").class == 0);
    assert_true(naming("lm loss").class == 1);
    assert_true(naming("nll_loss").class == 1);
    assert_true(naming("avg_loss").class == 0.5);
    assert_true(naming("loss_cls").class >= 3);
    assert_true(naming("train_loss_unscaled").class >= 3);
    assert_true(naming("Losses/ner").class == 4);
    assert_true(naming("box").class == 4.5);
    assert_true(naming("aux_loss").class >= 4);
    assert_true(naming("").class == 7);
}

static void translates(void **state)
{
    (void)state;
    static const struct kind_case cases[] = {
        {"损失", KIND_LOSS},
        {"训练损失", KIND_LOSS},
        {"验证损失", KIND_VAL_LOSS},
        {"perte", KIND_LOSS},
        {"Perte de validation", KIND_VAL_LOSS},
        {"Verlust", KIND_LOSS},
        {"pérdida", KIND_LOSS},
        {"損失", KIND_LOSS},
        {"Потери", KIND_LOSS},
        {"Genauigkeit", KIND_METRIC},
        {"taux d'apprentissage", KIND_LEARNING_RATE},
        {"скорость обучения", KIND_LEARNING_RATE},
        {"perda de validação", KIND_VAL_LOSS},
        {"검증 손실", KIND_VAL_LOSS},
        {"strata treningowa", KIND_LOSS},
        {"kayıp", KIND_LOSS},
        {"perdita", KIND_LOSS},
        {"Validierungsverlust", KIND_VAL_LOSS},
        {"Trainingsverlust", KIND_LOSS},
        {"학습률", KIND_LEARNING_RATE},
    };
    KINDS_ARE(cases);
    assert_int_equal(vocabulary_place(vocabulary, TEXT("轮次")), PLACE_EPOCH);
    assert_int_equal(vocabulary_place(vocabulary, TEXT("训练次数")), PLACE_STEP);
    assert_int_equal(vocabulary_place(vocabulary, TEXT("Эпоха")), PLACE_EPOCH);
    assert_int_equal(vocabulary_place(vocabulary, TEXT("Époque")), PLACE_EPOCH);
    assert_int_equal(vocabulary_place(vocabulary, TEXT("Schritt")), PLACE_STEP);
    assert_int_equal(vocabulary_place(vocabulary, TEXT("에폭")), PLACE_EPOCH);
    assert_int_equal(vocabulary_place(vocabulary, TEXT("dönem")), PLACE_EPOCH);
}

static void knows_what_signs_say(void **state)
{
    (void)state;
    static const struct kind_case cases[] = {
        {"|g|", KIND_GRAD_NORM},
        {"|w|", KIND_OTHER},
        {"cv_agg's valid l2", KIND_VAL_LOSS},
        {"cv_agg's train l2", KIND_LOSS},
        {"valid_0's l2", KIND_VAL_LOSS},
        {"eval_1 mse", KIND_VAL_LOSS},
        {"layer_1's l2", KIND_OTHER},
        {"Average objective function output-xent", KIND_METRIC},
        {"objective function", KIND_LOSS},
    };
    KINDS_ARE(cases);
    assert_int_equal(vocabulary_naming(vocabulary, TEXT("rate"), TEXT("it/s"), PHASE_NONE).kind,
                     KIND_THROUGHPUT);
    assert_int_equal(
        vocabulary_naming(vocabulary, TEXT("time"), TEXT("samples/s"), PHASE_NONE).kind,
        KIND_THROUGHPUT);
    assert_int_equal(vocabulary_naming(vocabulary, TEXT("rate"), TEXT(""), PHASE_NONE).kind,
                     KIND_LEARNING_RATE);
}

static void knows_places_and_phases(void **state)
{
    (void)state;
    assert_int_equal(vocabulary_place(vocabulary, TEXT("Iteration")), PLACE_STEP);
    assert_int_equal(vocabulary_place(vocabulary, TEXT("global_step")), PLACE_STEP);
    assert_int_equal(vocabulary_place(vocabulary, TEXT("globalStep")), PLACE_STEP);
    assert_int_equal(vocabulary_place(vocabulary, TEXT("#")), PLACE_STEP);
    assert_int_equal(vocabulary_place(vocabulary, TEXT("Batch")), PLACE_BATCH);
    assert_int_equal(vocabulary_place(vocabulary, TEXT("epoch")), PLACE_EPOCH);
    assert_int_equal(vocabulary_place(vocabulary, TEXT("loss")), PLACE_NONE);
    assert_true(vocabulary_place_rank(vocabulary, TEXT("num_updates")) <
                vocabulary_place_rank(vocabulary, TEXT("step")));
    assert_int_equal(vocabulary_phase(vocabulary, TEXT("Validation")), PHASE_VALIDATION);
    assert_int_equal(vocabulary_phase(vocabulary, TEXT("train")), PHASE_TRAIN);
    assert_int_equal(vocabulary_phase(vocabulary, TEXT("loss")), PHASE_NONE);
}

static void a_heading_turns_the_kind(void **state)
{
    (void)state;
    struct naming name = vocabulary_naming(vocabulary, TEXT("loss"), TEXT(""), PHASE_VALIDATION);
    assert_int_equal(name.kind, KIND_VAL_LOSS);
    name = vocabulary_naming(vocabulary, TEXT("train_loss"), TEXT(""), PHASE_VALIDATION);
    assert_int_equal(name.kind, KIND_LOSS);
}

static void a_map_comes_first(void **state)
{
    (void)state;
    struct error error = {0};
    struct arena own = {0};
    struct vocabulary *copy = embedded_vocabulary(&own, &error);
    assert_non_null(copy);
    assert_true(vocabulary_map(copy, &own, KIND_LOSS, TEXT("my_seed*"), &error));
    struct naming name = vocabulary_naming(copy, TEXT("a/my_seed"), TEXT(""), PHASE_NONE);
    assert_int_equal(name.kind, KIND_LOSS);
    assert_false(name.refused);
    arena_free(&own);
}

struct fact_case {
    const char *key, *value, *fact, *canonical; /* canonical NULL: refused */
};

static void facts_are_read(void **state)
{
    (void)state;
    static const struct fact_case cases[] = {
        {"max_grad_norm", "1.0", "clip", "1.0"},
        {"--max_grad_norm", "0", "clip", "none"},
        {"clip_grad", "None", "clip", "none"},
        {"grad_clip.max_norm", "35", "clip", "35"},
        {"gradient_clip_val", "-1", "clip", "none"},
        {"BatchNorm.momentum", "0.9", "", "0.9"},
        {"MyLayerNorm.eps", "1e-12", "", "1e-12"},
        {"SGD.momentum", "0.9", "momentum", "0.9"},
        {"load_from", "None", "pretrained", NULL},
        {"load_from", "'https://host/weights.pth'", "pretrained", "true"},
        {"DP_SIZE", "1", "", "1"},
        {"data_parallel_size", "8", "", "8"},
        {"WORLD_SIZE", "256", "world_size", "256"},
        {"sampler_config.params.num_steps", "50", "", "50"},
        {"MODEL.SEM_SEG_HEAD.NORM", "GN", "", "GN"},
        {"MODEL.BACKBONE.NORM", "GN", "normalisation", "group"},
        {"fp16", "True", "precision", "fp16"},
        {"fp16", "False", "precision", NULL},
        {"bf16", "true", "precision", "bf16"},
        {"precision", "16-mixed", "precision", "fp16"},
        {"precision", "0.3", "precision", NULL},
        {"torch_dtype", "torch.bfloat16", "precision", "bf16"},
        {"fp16/enabled", "true", "precision", "fp16"},
        {"mixed_precision", "no", "precision", "fp32"},
        {"mixed_precision", "'bf16',", "precision", "bf16"},
        {"optimizer", "AdamW (", "optimizer", "adamw"},
        {"optim", "adamw_torch", "optimizer", "adamw"},
        {"optimizer.type", "'SGD'", "optimizer", "sgd"},
        {"optim", "adam", "optimizer", "adam"},
        {"learning_rate", "1e-3", "lr", "1e-3"},
        {"warmup_steps", "0", "warmup_steps", "none"},
        {"warmup_steps", "500", "warmup_steps", "500"},
        {"lr_scheduler_type", "SchedulerType.COSINE", "schedule", "cosine"},
        {"lr_config.policy", "'step'", "schedule", "step"},
        {"warmup_ratio", "0.03", "warmup_steps", "0.03"},
        {"warmup_steps", "0.1", "warmup_steps", "0.1"},
        {"lr", "[0.001976]", "lr", "0.001976"},
        {"update_freq", "[1]", "accumulation", "1"},
        {"opt_base_learning_rate/value", "0.002", "lr", "0.002"},
        {"optimizer", "auto", "optimizer", NULL},
        {"load", "/ckpt/x", "pretrained", NULL},
        {"max_steps", "-1", "planned_steps", NULL},
        {"train_iters", "1,000", "planned_steps", "1,000"},
        {"num_train_epochs", "3.0", "planned_epochs", "3.0"},
        {"resume_from", "None", "resumed", "false"},
        {"resume_from", "work_dirs/x.pth", "resumed", "true"},
        {"load", "None", "pretrained", "false"},
        {"model_name_or_path", "gpt2", "pretrained", "true"},
        {"num_classes", "1000", "classes", "1000"},
        {"padded_vocab_size", "50304", "vocabulary", "50304"},
        {"criterion", "CrossEntropyLoss()", "objective", "cross-entropy"},
        {"loss", "0.3", "objective", NULL},
        {"gpu_name", "NVIDIA A100-SXM4-80GB", "accelerator", "A100"},
        {"finetuning_type", "lora", "adapter", "lora"},
        {"adam_beta2", "0.95", "beta2", "0.95"},
        {"per_device_train_batch_size", "8", "batch_size", "8"},
        {"eval_batch_size", "8", "", "8"},
        {"clip_qkv", "8", "", "8"},
    };
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fact_naming fact =
            vocabulary_fact(vocabulary, text_of(cases[i].key), text_of(cases[i].value));
        bool right = text_is(fact.key, cases[i].fact);
        if (right && !cases[i].canonical)
            right = fact.refused;
        else if (right)
            right = !fact.refused && text_is(fact.value, cases[i].canonical);
        if (right)
            continue;
        print_error("%s=%s: %.*s=%.*s%s\n", cases[i].key, cases[i].value, (int)fact.key.size,
                    fact.key.data, (int)fact.value.size, fact.value.data,
                    fact.refused ? " (refused)" : "");
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static void a_key_tells_several_facts(void **state)
{
    (void)state;
    struct fact_naming facts[4];
    assert_int_equal(vocabulary_facts(vocabulary, TEXT("betas"), TEXT("(0.9, 0.95)"), facts, 4), 2);
    assert_true(text_is(facts[0].key, "beta1") && facts[0].number == 0.9);
    assert_true(text_is(facts[1].key, "beta2") && facts[1].number == 0.95);
    assert_int_equal(vocabulary_facts(vocabulary, TEXT("max_lr"), TEXT("0.1"), facts, 4), 1);
    assert_true(text_is(facts[0].key, "lr_peak"));
    assert_int_equal(vocabulary_facts(vocabulary, TEXT("n_params"), TEXT("7B"), facts, 4), 1);
    assert_true(facts[0].number == 7e9);
}

static void knows_defaults_of_frameworks(void **state)
{
    (void)state;
    struct fact_naming fact;
    assert_true(vocabulary_assumed(vocabulary, TEXT("transformers"), 0, &fact));
    assert_true(text_is(fact.key, "clip") && fact.number == 1);
    assert_false(vocabulary_assumed(vocabulary, TEXT("caffe"), 0, &fact));
}

struct glob_case {
    const char *pattern, *word;
    bool matches, possible; /* by the first and the last byte alone */
};

static void globs_are_refused_by_their_ends(void **state)
{
    (void)state;
    static const struct glob_case cases[] = {
        {"qf#", "qf1", true, true},     {"qf#", "qf12", true, true},
        {"qf#", "qf", false, false},    {"qf#", "pf1", false, false},
        {"qf#", "qx1", false, true},    {"#", "7", true, true},
        {"#", "seven", false, false},   {"#th", "7th", true, true},
        {"#th", "nth", false, false},   {"bcer%", "bcer", true, true},
        {"bcer%", "bcers", true, true}, {"bcer%", "acer", false, false},
        {"%er", "cer", true, true},     {"%er", "er", true, true},
        {"%er", "ces", false, false},   {"%", "a", true, true},
        {"%", "9", true, true},         {"a%b", "ab", true, true},
        {"a%b", "acb", true, true},     {"a%b", "ba", false, false},
        {"%o%", "no", true, true},      {"%o%", "yes", false, true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct token tokens[TOKENS_MAX];
        struct pattern pattern;
        struct pieces pieces = {.piece = {{.text = text_of(cases[i].word), .head = true}},
                                .count = 1};
        assert_true(pattern_compile(text_of(cases[i].pattern), tokens, &pattern));
        assert_int_equal(pattern_matches(&pattern, pieces.piece, 1), cases[i].matches);
        assert_int_equal(!(pattern.ends & ~pieces_ends(&pieces)), cases[i].possible);
    }
}

static void every_word_of_a_name_may_be_the_globs(void **state)
{
    (void)state;
    KINDS_ARE(((const struct kind_case[]){
        {"critic1_loss", naming("critic_loss").kind},
        {"train/critic12_loss", naming("train/critic_loss").kind},
    }));
    struct token tokens[TOKENS_MAX];
    struct pattern pattern;
    assert_true(pattern_compile(TEXT("gpu_#_loss"), tokens, &pattern));
    struct pieces pieces = {
        .piece = {{TEXT("gpu"), true}, {TEXT("0"), false}, {TEXT("loss"), false}}, .count = 3};
    assert_int_equal(pattern.ends & ~pieces_ends(&pieces), 0);
    pieces.piece[1].text = TEXT("all");
    assert_int_not_equal(pattern.ends & ~pieces_ends(&pieces), 0);
}

static void names_the_line_of_a_wrong_file(void **state)
{
    (void)state;
    struct arena own = {0};
    struct error error = {0};
    static const char text[] =
        "{ // a comment\n\"series\": [\n  {\"kind\": \"loss\", \"nams\": []}\n],\n"
        "\"units\": [], \"weak\": [], \"strip\": [], \"class-words\": [],"
        "\"places\": [], \"phases\": [], \"translations\": {},"
        "\"reinforcement\": {}, \"facts\": [], \"assume\": []}";
    assert_null(vocabulary_load(&own, text_of(text), "kinds.json", &error));
    assert_string_equal(error.message,
                        "kinds.json:3: unknown member \"nams\"; did you mean \"names\"?");
    assert_null(vocabulary_load(&own, TEXT("{\n\n\"series\": 1x}"), "k.json", &error));
    assert_string_equal(error.message, "k.json:3: this is not JSON");
    arena_free(&own);
}

static void bears_little_memory(void **state)
{
    (void)state;
    bool sound = false;
    for (size_t limit = 1; !sound; limit += 64 << 10) {
        struct arena own = {.limit = limit};
        struct error error = {0};
        sound = embedded_vocabulary(&own, &error) != NULL;
        assert_true(sound || error.kind == ERROR_MEMORY);
        assert_true(limit > 1 || !sound);
        assert_true(limit < 1 << 22);
        arena_free(&own);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_losses),
        cmocka_unit_test(knows_adversarial_losses),
        cmocka_unit_test(knows_rates_and_norms),
        cmocka_unit_test(knows_metrics_and_rewards),
        cmocka_unit_test(knows_the_machine),
        cmocka_unit_test(refuses_bookkeeping),
        cmocka_unit_test(orders_losses_by_class),
        cmocka_unit_test(translates),
        cmocka_unit_test(knows_what_signs_say),
        cmocka_unit_test(knows_places_and_phases),
        cmocka_unit_test(a_heading_turns_the_kind),
        cmocka_unit_test(a_map_comes_first),
        cmocka_unit_test(facts_are_read),
        cmocka_unit_test(a_key_tells_several_facts),
        cmocka_unit_test(knows_defaults_of_frameworks),
        cmocka_unit_test(globs_are_refused_by_their_ends),
        cmocka_unit_test(every_word_of_a_name_may_be_the_globs),
        cmocka_unit_test(names_the_line_of_a_wrong_file),
        cmocka_unit_test(bears_little_memory),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
