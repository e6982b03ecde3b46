/* Gradient norms that checkpoints tell: by the formulas, over the steps, marked as what they are.
 */
/* SPDX-License-Identifier: MIT */
#include "files.h"
#include "program.h"

#include <math.h>
#include <stdbool.h>

struct value { /* a tensor of `count` equal values; 0: a scalar; below 0: so many rows of one */
    const char *name;
    int count;
    float number;
};

static void save(struct files *files, const char *name, const char *settings,
                 const struct value *values, size_t count)
{
    static char json[4096], file[16384];
    size_t size = (size_t)snprintf(json, sizeof(json), "{\"__metadata__\":{%s}", settings);
    size_t data = 0, at;
    for (size_t i = 0; i < count; i++) {
        const size_t end = data + 4 * (size_t)(values[i].count ? abs(values[i].count) : 1);
        char shape[16] = "";
        if (values[i].count)
            snprintf(shape, sizeof(shape), values[i].count < 0 ? "%d,1" : "%d",
                     abs(values[i].count));
        size += (size_t)snprintf(json + size, sizeof(json) - size,
                                 ",\"%s\":{\"dtype\":\"F32\",\"shape\":[%s],\"data_offsets\":[%zu,"
                                 "%zu]}",
                                 values[i].name, shape, data, end);
        data = end;
    }
    json[size++] = '}';
    const uint64_t length = size;
    memcpy(file, &length, 8);
    memcpy(file + 8, json, size);
    at = 8 + size;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < (values[i].count ? abs(values[i].count) : 1); k++, at += 4)
            memcpy(file + at, &values[i].number, 4);
    file_put(files, name, file, at);
}

static cJSON *inspected(const struct files *files)
{
    return program_report("inspect", files->folder);
}

static const cJSON *series_named(const cJSON *json, const char *name)
{
    const cJSON *series;
    cJSON_ArrayForEach(series, cJSON_GetObjectItem(json, "series"))
    {
        if (strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(series, "name")), name) == 0)
            return series;
    }
    return NULL;
}

static double last_of(const cJSON *json, const char *name)
{
    const cJSON *last = cJSON_GetObjectItem(series_named(json, name), "last");
    assert_non_null(last);
    return cJSON_GetObjectItem(last, "value")->valuedouble;
}

static bool is_near(double got, double wanted)
{
    return fabs(got - wanted) <= 1e-5 * fabs(wanted);
}

static void corrects_the_moments_of_adam(void **state)
{
    struct files *files = *state;
    const double seen = 1 - pow(0.9, 10);
    const struct value values[] = {{"fc.weight", 16, 1},
                                   {"fc.bias", 4, 1},
                                   {"optimizer.state.0.step", 1, 10},
                                   {"optimizer.state.0.exp_avg", 16, 0.1F},
                                   {"optimizer.state.0.exp_avg_sq", 16, 0.25F},
                                   {"optimizer.state.1.step", 1, 10},
                                   {"optimizer.state.1.exp_avg", 4, 0.1F},
                                   {"optimizer.state.1.exp_avg_sq", 4, 0}};
    save(files, "step_10.safetensors", "\"optimizer.param_groups.0.betas.1\":\"0.9\"", values, 8);
    cJSON *json = inspected(files);
    assert_true(is_near(last_of(json, "exp_avg_sq/grad_norm"), sqrt(16 * 0.25 / seen)));
    assert_true(is_near(last_of(json, "exp_avg_sq/grad_norm/fc.weight"), sqrt(4 / seen)));
    assert_true(last_of(json, "exp_avg_sq/grad_norm/fc.bias") == 0);
    const cJSON *total = series_named(json, "exp_avg_sq/grad_norm");
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(total, "basis")), "estimated");
    cJSON_Delete(json);
}

/* Named after the variable, as TensorFlow and Keras save them; a `v` of the model is none. */
static void takes_the_slots_of_tensorflow_for_moments(void **state)
{
    struct files *files = *state;
    const double seen = 1 - pow(0.999, 100);
    const struct value values[] = {
        {"fc/kernel", 16, 1},
        {"attention/v:0", 4, 9},
        {"fc/kernel/.OPTIMIZER_SLOT/optimizer/m/.ATTRIBUTES/VARIABLE_VALUE", 16, 3},
        {"fc/kernel/.OPTIMIZER_SLOT/optimizer/v/.ATTRIBUTES/VARIABLE_VALUE", 16, 0.25F}};
    save(files, "step_100.safetensors", "", values, 4);
    cJSON *json = inspected(files);
    assert_true(is_near(last_of(json, "exp_avg_sq/grad_norm"), sqrt(16 * 0.25 / seen)));
    assert_true(is_near(last_of(json, "exp_avg_sq/grad_norm/fc/kernel"), sqrt(4 / seen)));
    cJSON_Delete(json);
    const struct value keras[] = {{"model_weights/fc/kernel:0", 16, 1},
                                  {"optimizer_weights/Adam/fc/kernel/m:0", 16, 3},
                                  {"optimizer_weights/Adam/fc/kernel/v:0", 16, 0.25F}};
    save(files, "step_100.safetensors", "\"beta_2\":\"0.9\"", keras, 3);
    json = inspected(files);
    assert_true(
        is_near(last_of(json, "exp_avg_sq/grad_norm"), sqrt(16 * 0.25 / (1 - pow(0.9, 100)))));
    cJSON_Delete(json);
}

/* Slots that Keras 3 numbers come in pairs; those of plain momentum have no second of their shape.
 */
static void finds_the_pairs_of_keras(void **state)
{
    struct files *files = *state;
    const double seen = 1 - pow(0.999, 100);
    const struct value adam[] = {{"layers/fc/vars/0", 16, 1},     {"optimizer/vars/0", 0, 100},
                                 {"optimizer/vars/1", 0, 0.001F}, {"optimizer/vars/10", 4, 5},
                                 {"optimizer/vars/2", 16, -0.5F}, {"optimizer/vars/3", 16, 0.25F},
                                 {"optimizer/vars/4", 4, -3},     {"optimizer/vars/5", 4, 1}};
    save(files, "step_100.safetensors", "", adam, 8);
    cJSON *json = inspected(files);
    assert_true(is_near(last_of(json, "exp_avg_sq/grad_norm"), sqrt((4 + 4) / seen)));
    assert_true(is_near(last_of(json, "exp_avg_sq/grad_norm/optimizer/vars/5"), sqrt(4 / seen)));
    assert_null(series_named(json, "exp_avg_sq/grad_norm/optimizer/vars/10"));
    cJSON_Delete(json);
    const struct value momentum[] = {
        {"optimizer/vars/0", 0, 100},    {"optimizer/vars/1", 0, 0.001F},
        {"optimizer/vars/2", 16, -0.5F}, {"optimizer/vars/3", 4, 0.25F},
        {"optimizer/vars/4", 16, 1},     {"optimizer/vars/5", 4, 1}};
    save(files, "step_100.safetensors", "", momentum, 6);
    json = inspected(files);
    assert_null(series_named(json, "exp_avg_sq/grad_norm"));
    cJSON_Delete(json);
}

/* v = mu v - rate * g: the rate comes out of it, with what it decayed by. */
static void takes_the_rate_out_of_the_velocities_of_keras(void **state)
{
    struct files *files = *state;
    const struct value slots[] = {
        {"fc/kernel", 16, 1},
        {"fc/kernel/.OPTIMIZER_SLOT/optimizer/momentum/.ATTRIBUTES/VARIABLE_VALUE", 16, -0.02F},
        {"optimizer/learning_rate/.ATTRIBUTES/VARIABLE_VALUE", 0, 0.5F},
        {"optimizer/momentum/.ATTRIBUTES/VARIABLE_VALUE", 0, 0.6F},
        {"optimizer/decay/.ATTRIBUTES/VARIABLE_VALUE", 0, 0.25F}};
    save(files, "step_100.safetensors", "", slots, 4);
    cJSON *json = inspected(files);
    assert_true(is_near(last_of(json, "velocity/grad_norm"), 0.8 * 0.08 / 0.5));
    assert_true(is_near(last_of(json, "velocity/grad_norm/fc/kernel"), 0.8 * 0.08 / 0.5));
    cJSON_Delete(json);
    save(files, "step_100.safetensors", "", slots, 5);
    json = inspected(files);
    assert_true(is_near(last_of(json, "velocity/grad_norm"), 0.8 * 0.08 / 0.5 * 26));
    cJSON_Delete(json);
    const struct value older[] = {{"model_weights/fc/kernel:0", 16, 1},
                                  {"optimizer_weights/SGD/fc/kernel/momentum:0", 16, -0.02F}};
    save(files, "step_100.safetensors", "\"learning_rate\":\"0.5\",\"momentum\":\"0.6\"", older, 2);
    json = inspected(files);
    assert_true(is_near(last_of(json, "velocity/grad_norm"), 0.8 * 0.08 / 0.5));
    cJSON_Delete(json);
    const struct value numbered[] = {{"layers/fc/vars/0", 16, 1},
                                     {"optimizer/vars/0", 0, 100},
                                     {"optimizer/vars/1", 0, 0.5F},
                                     {"optimizer/vars/2", 16, -0.02F}};
    save(files, "step_100.safetensors",
         "\"optimizer\":\"SGD\",\"learning_rate\":\"0.5\",\"momentum\":\"0.6\"", numbered, 4);
    json = inspected(files);
    assert_true(is_near(last_of(json, "velocity/grad_norm"), 0.8 * 0.08 / 0.5));
    cJSON_Delete(json);
}

/* Without the rate, or scaled by means, a velocity says nothing; of another optimizer nothing is
   one. */
static void takes_no_velocity_without_its_rate(void **state)
{
    struct files *files = *state;
    const struct value slots[] = {
        {"fc/kernel/.OPTIMIZER_SLOT/optimizer/momentum/.ATTRIBUTES/VARIABLE_VALUE", 16, -0.02F},
        {"fc/kernel/.OPTIMIZER_SLOT/optimizer/rms/.ATTRIBUTES/VARIABLE_VALUE", 16, 0.02F},
        {"optimizer/learning_rate/.ATTRIBUTES/VARIABLE_VALUE", 0, 0.5F}};
    save(files, "step_100.safetensors", "", slots, 1);
    cJSON *json = inspected(files);
    assert_null(series_named(json, "velocity/grad_norm"));
    cJSON_Delete(json);
    save(files, "step_100.safetensors", "", slots, 3);
    json = inspected(files);
    assert_null(series_named(json, "velocity/grad_norm"));
    assert_non_null(series_named(json, "exp_avg_sq/grad_norm"));
    cJSON_Delete(json);
    const struct value numbered[] = {{"optimizer/vars/0", 0, 100},
                                     {"optimizer/vars/1", 0, 0.5F},
                                     {"optimizer/vars/2", 16, -0.02F}};
    save(files, "step_100.safetensors",
         "\"optimizer\":\"Lion\",\"learning_rate\":\"0.5\",\"momentum\":\"0.6\"", numbered, 3);
    json = inspected(files);
    assert_null(series_named(json, "velocity/grad_norm"));
    cJSON_Delete(json);
}

/* What the ranks of DeepSpeed hold of the moments is counted under the parameters' names alone,
   with the second decay that stands in the ranks' files. */
static void counts_the_parts_of_ranks_once(void **state)
{
    struct files *files = *state;
    const double seen = 1 - pow(0.9, 10);
    const struct value whole[] = {{"fc.weight", 16, 1}, {"fc.weight.exp_avg_sq", 16, 0.25F}};
    const struct value parts[] = {
        {"optimizer_state_dict.base_optimizer_state.state.0.exp_avg_sq", 16, 0.25F}};
    static const char betas[] =
        "\"optimizer_state_dict.base_optimizer_state.param_groups.0.betas.1\":\"0.9\"";
    assert_int_equal(mkdir(file_at(files, "global_step10"), 0700), 0);
    save(files, "global_step10/rank0.safetensors", betas, parts, 1);
    cJSON *json = inspected(files);
    assert_true(is_near(last_of(json, "exp_avg_sq/grad_norm"), sqrt(4 / seen)));
    cJSON_Delete(json);
    save(files, "global_step10/model.safetensors", "", whole, 2);
    json = inspected(files);
    assert_true(is_near(last_of(json, "exp_avg_sq/grad_norm"), sqrt(4 / seen)));
    assert_true(is_near(last_of(json, "exp_avg_sq/grad_norm/fc.weight"), sqrt(4 / seen)));
    cJSON_Delete(json);
}

static void takes_the_moments_of_flax_and_the_means_of_adafactor(void **state)
{
    struct files *files = *state;
    const double seen = 1 - pow(0.999, 50);
    const struct value flax[] = {{"opt_state.0.mu.Dense_0.kernel", 16, -1},
                                 {"opt_state.0.nu.Dense_0.kernel", 16, 0.25F},
                                 {"params.Dense_0.kernel", 16, 1},
                                 {"model.nu.bias", 4, 9}};
    save(files, "step_50.safetensors", "", flax, 4);
    cJSON *json = inspected(files);
    assert_true(is_near(last_of(json, "exp_avg_sq/grad_norm"), sqrt(4 / seen)));
    assert_true(is_near(last_of(json, "exp_avg_sq/grad_norm/Dense_0.kernel"), sqrt(4 / seen)));
    cJSON_Delete(json);
    const struct value adafactor[] = {{"optimizer.state.0.exp_avg_sq_col", 8, 0.5F},
                                      {"optimizer.state.0.exp_avg_sq_row", 3, 4}};
    save(files, "step_50.safetensors", "", adafactor, 2);
    json = inspected(files); /* 3 rows, whose means over the columns sum up to 4 */
    assert_true(is_near(last_of(json, "exp_avg_sq/grad_norm"), sqrt(3 * 4)));
    cJSON_Delete(json);
}

static void corrects_by_the_power_that_a_session_saved(void **state)
{
    struct files *files = *state;
    const struct value values[] = {{"beta2_power", 1, 0.97F}, /* not what 50 steps would say */
                                   {"fc/kernel", 16, 1},
                                   {"fc/kernel/Adam", 16, -1},
                                   {"fc/kernel/Adam_1", 16, 0.25F}};
    save(files, "step_50.safetensors", "", values, 4);
    cJSON *json = inspected(files);
    const double seen = 1 - (double)0.97F / 0.999;
    assert_true(is_near(last_of(json, "exp_avg_sq/grad_norm"), sqrt(4 / seen)));
    cJSON_Delete(json);
}

/* State that is spread over ranks: the parts of one moment are one reading of one tensor. */
static void joins_what_ranks_hold_of_a_tensor(void **state)
{
    struct files *files = *state;
    const double seen = 1 - pow(0.999, 50);
    const struct value first[] = {{"state.0.exp_avg_sq", 16, 0.25F}};
    const struct value second[] = {{"state.0.exp_avg_sq", 20, 0.25F}};
    assert_int_equal(mkdir(file_at(files, "global_step50"), 0700), 0);
    save(files, "global_step50/rank0.safetensors", "", first, 1);
    save(files, "global_step50/rank1.safetensors", "", second, 1);
    cJSON *json = inspected(files);
    const cJSON *part = series_named(json, "exp_avg_sq/grad_norm/state.0");
    assert_int_equal(cJSON_GetObjectItem(part, "points")->valueint, 1);
    assert_true(is_near(last_of(json, "exp_avg_sq/grad_norm/state.0"), sqrt(9 / seen)));
    assert_true(is_near(last_of(json, "exp_avg_sq/grad_norm"), sqrt(9 / seen)));
    cJSON_Delete(json);
}

static void takes_momentum_stored_gradients_and_sums_for_what_they_are(void **state)
{
    struct files *files = *state;
    const struct value values[] = {{"fc.weight", 4, 1},
                                   {"fc.weight.grad", 4, 3},
                                   {"optimizer.state.0.momentum_buffer", 4, 2},
                                   {"adagrad.state.0.step", 1, 25},
                                   {"adagrad.state.0.sum", 4, 25}};
    save(files, "step_25.safetensors", "\"optimizer.param_groups.0.momentum\":\"0.6\"", values, 5);
    cJSON *json = inspected(files);
    assert_true(is_near(last_of(json, "stored/grad_norm"), 6));
    assert_true(is_near(last_of(json, "momentum_buffer/grad_norm"), 0.8 * 4));
    assert_true(is_near(last_of(json, "sum/grad_norm"), 2));
    assert_null(series_named(json, "movement/grad_norm"));
    cJSON_Delete(json);
}

/* Names that only look like those of moments, and optimizers that scale what they keep. */
static void takes_nothing_for_a_moment_that_is_none(void **state)
{
    struct files *files = *state;
    const double seen = 1 - pow(0.999, 50);
    const struct value largest[] = {{"optimizer.state.0.exp_avg", 4, 1},
                                    {"optimizer.state.0.exp_avg_sq", 4, 4},
                                    {"optimizer.state.0.max_exp_avg_sq", 4, 9}};
    save(files, "step_50.safetensors", "", largest, 3);
    cJSON *json = inspected(files);
    assert_true(is_near(last_of(json, "exp_avg_sq/grad_norm"), sqrt(16 / seen)));
    cJSON_Delete(json);
    const struct value scaled[] = {{"optimizer.state.0.momentum_buffer", 4, 70},
                                   {"optimizer.state.0.square_avg", 4, 4}};
    save(files, "step_50.safetensors", "\"optimizer.param_groups.0.alpha\":\"0.5\"", scaled, 2);
    json = inspected(files);
    assert_true(is_near(last_of(json, "exp_avg_sq/grad_norm"), 4));
    assert_null(series_named(json, "momentum_buffer/grad_norm"));
    cJSON_Delete(json);
    const struct value damped[] = {{"optimizer.state.0.momentum_buffer", 4, 3}};
    save(files, "step_50.safetensors",
         "\"optimizer.param_groups.0.momentum\":\"0.6\","
         "\"optimizer.param_groups.0.dampening\":\"0.25\"",
         damped, 1);
    json = inspected(files);
    assert_true(is_near(last_of(json, "momentum_buffer/grad_norm"), 0.8 * 6 / 0.75));
    cJSON_Delete(json);
}

static void corrects_nothing_of_adafactor(void **state)
{
    struct files *files = *state;
    const struct value transformers[] = {{"optimizer.state.0.exp_avg_sq_col", 8, 0.5F},
                                         {"optimizer.state.0.exp_avg_sq_row", 3, 4},
                                         {"optimizer.state.1.exp_avg_sq", 4, 1}};
    save(files, "step_50.safetensors", "", transformers, 3);
    cJSON *json = inspected(files);
    assert_true(is_near(last_of(json, "exp_avg_sq/grad_norm"), sqrt(3 * 4 + 4)));
    cJSON_Delete(json);
    const struct value torch[] = {{"optimizer.state.0.col_var", 8, 0.5F},
                                  {"optimizer.state.0.row_var", -3, 4},
                                  {"optimizer.state.1.variance", 4, 1},
                                  {"model.bn.moving_variance", 4, 9}};
    save(files, "step_50.safetensors", "", torch, 4);
    json = inspected(files);
    assert_true(is_near(last_of(json, "exp_avg_sq/grad_norm"), sqrt(3 * 4 + 4)));
    cJSON_Delete(json);
}

static void takes_the_trace_of_optax_for_momentum(void **state)
{
    struct files *files = *state;
    const struct value values[] = {{"opt_state.0.trace.Dense_0.kernel", 16, 1},
                                   {"params.Dense_0.kernel", 16, 2}};
    save(files, "step_50.safetensors", "", values, 2);
    cJSON *json = inspected(files);
    assert_true(is_near(last_of(json, "momentum_buffer/grad_norm"), sqrt(1 - 0.81) * 4));
    assert_true(is_near(last_of(json, "momentum_buffer/grad_norm/params.Dense_0.kernel"),
                        sqrt(1 - 0.81) * 4));
    cJSON_Delete(json);
}

/* "scale" is what a scaler has where the keys beside it are a scaler's. */
static void tells_the_scale_of_the_loss_that_was_saved(void **state)
{
    struct files *files = *state;
    const struct value values[] = {{"fc.weight", 4, 1}};
    save(files, "step_50.safetensors", "\"scaler.scale\":\"1024\",\"scaler.growth_factor\":\"2\"",
         values, 1);
    save(files, "step_60.safetensors",
         "\"loss_scaler.cur_scale\":\"0.5\","
         "\"loss_scaler.scale_window\":\"1000\"",
         values, 1);
    save(files, "step_70.safetensors", "\"image.scale\":\"7\",\"scaler.growth_factor\":\"2\"",
         values, 1);
    cJSON *json = inspected(files);
    const cJSON *series = series_named(json, "saved/loss_scale");
    assert_int_equal(cJSON_GetObjectItem(series, "points")->valueint, 2);
    assert_int_equal(cJSON_GetObjectItem(cJSON_GetObjectItem(series, "last"), "step")->valueint,
                     60);
    assert_true(last_of(json, "saved/loss_scale") == 0.5);
    cJSON_Delete(json);
}

static void follows_the_steps_and_stays_behind_a_logged_norm(void **state)
{
    struct files *files = *state;
    char log[4096];
    size_t size = 0;
    for (int step = 1; step <= 30; step++)
        size +=
            (size_t)snprintf(log + size, sizeof(log) - size, "step %d loss %.3f grad_norm %.3f\n",
                             step, 3 - 0.05 * step, 1 + 0.1 * (step % 3));
    file_put(files, "train.log", log, size);
    for (int i = 1; i <= 3; i++) {
        char name[32];
        const struct value values[] = {{"fc.weight", 4, (float)i},
                                       {"optimizer.state.0.exp_avg_sq", 4, (float)(i * i)}};
        snprintf(name, sizeof(name), "step_%d.safetensors", 10000 * i);
        save(files, name, "", values, 2);
    }
    cJSON *json = inspected(files);
    const cJSON *total = series_named(json, "exp_avg_sq/grad_norm");
    assert_int_equal(cJSON_GetObjectItem(total, "points")->valueint, 3);
    assert_false(cJSON_IsTrue(cJSON_GetObjectItem(total, "main")));
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(series_named(json, "grad_norm"), "main")));
    assert_int_equal(cJSON_GetObjectItem(cJSON_GetObjectItem(total, "last"), "step")->valueint,
                     30000);
    assert_true(fabs(last_of(json, "exp_avg_sq/grad_norm") - 6) < 1e-3);
    cJSON_Delete(json);
}

static void falls_back_on_the_way_of_the_weights(void **state)
{
    struct files *files = *state;
    const struct value before[] = {{"fc.weight", 4, 1}}, after[] = {{"fc.weight", 4, 2}};
    const char *rate = "\"optimizer.param_groups.0.lr\":\"0.01\"";
    save(files, "step_100.safetensors", rate, before, 1);
    save(files, "step_200.safetensors", rate, after, 1);
    cJSON *json = inspected(files);
    assert_true(is_near(last_of(json, "movement/grad_norm"), 2 / (0.01 * 100)));
    cJSON_Delete(json);
    const struct value later[] = {{"fc.weight", 4, 5}};
    save(files, "step_300.safetensors", rate, later, 1);
    json = inspected(files);
    assert_int_equal(
        cJSON_GetObjectItem(series_named(json, "movement/grad_norm"), "points")->valueint, 2);
    assert_true(is_near(last_of(json, "movement/grad_norm"), 6 / (0.01 * 100)));
    cJSON_Delete(json);
    const struct value scaled[] = {{"fc.weight", 4, 5}, {"optimizer.state.0.exp_inf", 4, 1}};
    save(files, "step_200.safetensors", rate, scaled, 2); /* steps of another length */
    save(files, "step_300.safetensors", rate, scaled, 2);
    json = inspected(files);
    assert_null(series_named(json, "movement/grad_norm"));
    cJSON_Delete(json);
    save(files, "step_200.safetensors", "", after, 1); /* no rate, no estimate */
    save(files, "step_300.safetensors", "", later, 1);
    json = inspected(files);
    assert_null(series_named(json, "movement/grad_norm"));
    cJSON_Delete(json);
}

static void leaves_out_moments_before_the_first_step(void **state)
{
    struct files *files = *state;
    const struct value before[] = {{"fc.weight", 4, 1}, {"fc.weight/Adam_1", 4, 0}};
    const struct value after[] = {{"fc.weight", 4, 2}, {"fc.weight/Adam_1", 4, 1}};
    save(files, "step_0.safetensors", "", before, 2);
    save(files, "step_1000.safetensors", "", after, 2);
    cJSON *json = inspected(files);
    const cJSON *total = series_named(json, "exp_avg_sq/grad_norm");
    assert_int_equal(cJSON_GetObjectItem(total, "points")->valueint, 1);
    cJSON_Delete(json);
}

static void says_nothing_of_moments_that_are_not_finite(void **state)
{
    struct files *files = *state;
    const struct value values[] = {{"fc.weight", 4, 1},
                                   {"optimizer.state.0.exp_avg_sq", 4, (float)NAN}};
    save(files, "step_100.safetensors", "", values, 2);
    cJSON *json = inspected(files);
    const cJSON *total = series_named(json, "exp_avg_sq/grad_norm");
    assert_int_equal(cJSON_GetObjectItem(total, "nan")->valueint, 1);
    cJSON_Delete(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(corrects_the_moments_of_adam, files_open, files_close),
        cmocka_unit_test_setup_teardown(tells_the_scale_of_the_loss_that_was_saved, files_open,
                                        files_close),
        cmocka_unit_test_setup_teardown(takes_nothing_for_a_moment_that_is_none, files_open,
                                        files_close),
        cmocka_unit_test_setup_teardown(corrects_nothing_of_adafactor, files_open, files_close),
        cmocka_unit_test_setup_teardown(takes_the_trace_of_optax_for_momentum, files_open,
                                        files_close),
        cmocka_unit_test_setup_teardown(takes_the_slots_of_tensorflow_for_moments, files_open,
                                        files_close),
        cmocka_unit_test_setup_teardown(takes_the_rate_out_of_the_velocities_of_keras, files_open,
                                        files_close),
        cmocka_unit_test_setup_teardown(takes_no_velocity_without_its_rate, files_open,
                                        files_close),
        cmocka_unit_test_setup_teardown(counts_the_parts_of_ranks_once, files_open, files_close),
        cmocka_unit_test_setup_teardown(finds_the_pairs_of_keras, files_open, files_close),
        cmocka_unit_test_setup_teardown(takes_the_moments_of_flax_and_the_means_of_adafactor,
                                        files_open, files_close),
        cmocka_unit_test_setup_teardown(corrects_by_the_power_that_a_session_saved, files_open,
                                        files_close),
        cmocka_unit_test_setup_teardown(joins_what_ranks_hold_of_a_tensor, files_open, files_close),
        cmocka_unit_test_setup_teardown(takes_momentum_stored_gradients_and_sums_for_what_they_are,
                                        files_open, files_close),
        cmocka_unit_test_setup_teardown(follows_the_steps_and_stays_behind_a_logged_norm,
                                        files_open, files_close),
        cmocka_unit_test_setup_teardown(falls_back_on_the_way_of_the_weights, files_open,
                                        files_close),
        cmocka_unit_test_setup_teardown(leaves_out_moments_before_the_first_step, files_open,
                                        files_close),
        cmocka_unit_test_setup_teardown(says_nothing_of_moments_that_are_not_finite, files_open,
                                        files_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
