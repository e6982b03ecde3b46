/* Names that only the rest of the line makes clear: bare phases, totals, the v of v_loss. */
/* SPDX-License-Identifier: MIT */
#include "read/log/sentence.h"

#include <math.h>

enum { QUALIFIER_TOKENS = 24 };

/* Bare values below are as well accuracies, above as well percentages of them. */
#define LOSS_ABOVE 1.0
#define LOSS_BELOW 9.0

static bool is_free_value(const struct mention *mention)
{
    return !mention->dropped && mention->field == FIELD_NONE && mention->place == PLACE_NONE &&
           mention->side == SIDE_LEFT && mention->name.size > 0 && !mention->integer &&
           mention->unit.size == 0;
}

static void rename_to(struct sentence *sentence, struct mention *mention, struct text first,
                      struct text second)
{
    struct text name = sentence_copy(sentence, first);
    name.size += sentence_copy(sentence, TEXT(" ")).size;
    name.size += sentence_copy(sentence, second).size;
    mention->name = name;
    mention->naming = memo_naming(sentence->reader, name, mention->unit, mention->phase);
}

static bool has_kind(const struct sentence *sentence, enum kind first, enum kind second)
{
    for (size_t i = 0; i < sentence->count; i++) {
        const struct mention *mention = &sentence->mentions[i];
        if (!mention->dropped && mention->naming.known &&
            (mention->naming.kind == first || mention->naming.kind == second))
            return true;
    }
    return false;
}

/* A loss by its plain name: what is called rmse stands as a metric beside others. */
static bool has_plain_loss(const struct sentence *sentence)
{
    for (size_t i = 0; i < sentence->count; i++) {
        const struct mention *mention = &sentence->mentions[i];
        if (!mention->dropped && mention->naming.known && mention->naming.class < 1 &&
            (mention->naming.kind == KIND_LOSS || mention->naming.kind == KIND_VAL_LOSS))
            return true;
    }
    return false;
}

static bool has_position(const struct sentence *sentence)
{
    for (size_t i = 0; i < sentence->count; i++)
        if (sentence->mentions[i].field != FIELD_NONE)
            return true;
    return false;
}

static bool owned(const struct sentence *sentence, size_t token)
{
    for (size_t i = 0; i < sentence->count; i++)
        if (token >= sentence->mentions[i].word_first && token < sentence->mentions[i].word_end)
            return true;
    return false;
}

/* `Loss: train 0.5, val 0.6`: the word in front that no number took, where it names a series. */
static struct text qualifier_of(const struct sentence *sentence, const struct mention *mention)
{
    for (size_t i = mention->word_first; i > 0 && mention->word_first - i < QUALIFIER_TOKENS;) {
        const struct token *token = token_at(sentence, --i);
        if (token->kind != TOKEN_WORD || owned(sentence, i))
            continue;
        struct text word = token_text(sentence->cut, token);
        const struct naming naming = memo_naming(sentence->reader, word, TEXT(""), PHASE_NONE);
        return naming.known && !naming.refused ? word : TEXT("");
    }
    return TEXT("");
}

/* `LOSS train 0.5 valid 0.6`: what stands in front of the phase of the number before. */
static struct text qualifier_before(const struct sentence *sentence, const struct mention *mention)
{
    if (mention == sentence->mentions)
        return TEXT("");
    const struct mention *before = mention - 1;
    struct text last = last_word(before->name);
    bool only = false;
    if (!is_free_value(before) || before->keyed || last.size == before->name.size ||
        !before->naming.known || before->separator != mention->separator ||
        phase_of_name(sentence->reader->vocabulary, last, &only) != PHASE_TRAIN || !only)
        return TEXT("");
    return text_trim(text_cut(before->name, 0, before->name.size - last.size));
}

/* What is left for bare phases beside an accuracy is the loss; so is what a perplexity is made of.
 */
static bool has_accuracy(const struct sentence *sentence)
{
    static const char *const words[] = {"acc", "accuracy",   "acc1", "top1",
                                        "ppl", "perplexity", NULL};
    for (size_t i = 0; i < sentence->count; i++) {
        const struct mention *mention = &sentence->mentions[i];
        size_t start = 0;
        if (mention->dropped || mention->side != SIDE_LEFT || !mention->naming.known ||
            (mention->naming.kind != KIND_METRIC && mention->naming.kind != KIND_VAL_METRIC))
            continue;
        for (size_t k = 0; k <= mention->name.size; k++) {
            if (k < mention->name.size && byte_is_word(mention->name.data[k]) &&
                mention->name.data[k] != '_')
                continue;
            if (text_in(text_cut(mention->name, start, k - start), words))
                return true;
            start = k + 1;
        }
    }
    return false;
}

static bool may_be_loss(const struct sentence *sentence, const struct mention *mention)
{
    const struct token *token = token_at(sentence, sentence->cut->numbers[mention->number]);
    struct number number;
    if (!token_number(sentence->reader, sentence->cut, token, &number))
        return false;
    return !number.finite || sentence->reader->file_loss.size > 0 || has_accuracy(sentence) ||
           (number.value > LOSS_ABOVE && number.value < LOSS_BELOW);
}

/* `train 1.9 | valid 2.1`, `trlast = 1.9  val = 2.1`. */
static void imply_phases(struct sentence *sentence)
{
    struct mention *train = NULL, *validation = NULL;
    size_t bare = 0;
    bool learns = false;
    for (size_t i = 0; i < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i];
        if (!is_free_value(mention))
            continue;
        bool only = mention->phase_only && mention->phase != PHASE_NONE;
        bool glued = !only && !mention->naming.known && mention->words == 1 &&
                     text_starts(mention->name, "tr");
        struct text qualifier = only ? qualifier_of(sentence, mention) : TEXT("");
        if (only && qualifier.size == 0)
            qualifier = qualifier_before(sentence, mention);
        if (qualifier.size > 0) {
            rename_to(sentence, mention, mention->name, qualifier);
            continue;
        }
        bool learn = text_folds_to(mention->name, "learn");
        learns = learns || learn;
        bare += only || glued || learn;
        if (only && mention->phase == PHASE_VALIDATION)
            validation = mention;
        else if (only || glued)
            train = mention;
    }
    if (learns && validation && bare == 2) /* `learn: 0.5  test: 0.6`: both a loss */
        rename_to(sentence, validation, validation->name, TEXT("loss"));
    if (learns || bare != 2 || !train || !validation || !has_position(sentence) ||
        has_plain_loss(sentence) || !may_be_loss(sentence, train) ||
        !may_be_loss(sentence, validation))
        return;
    train->phase = PHASE_TRAIN;
    rename_to(sentence, train, train->name, TEXT("loss"));
    rename_to(sentence, validation, validation->name, TEXT("loss"));
}

/* `total=3.8 pde=0.3 data=2.9`: what the data costs, where nothing tells a time. */
static bool is_data(const struct mention *mention)
{
    return is_free_value(mention) && text_folds_to(mention->name, "data");
}

/* A duration beside which a total is one too; the pace behind a bar says nothing of it. */
static bool has_duration(const struct sentence *sentence)
{
    for (size_t i = 0; i < sentence->count; i++) {
        const struct mention *mention = &sentence->mentions[i];
        const bool pace = mention->side != SIDE_LEFT &&
                          sentence->cut->numbers[mention->number] > sentence->cut->bar;
        if (!mention->dropped && mention->naming.known && !pace && !is_data(mention) &&
            (mention->naming.kind == KIND_STEP_TIME || mention->naming.kind == KIND_DATA_TIME))
            return true;
    }
    return false;
}

/* `total: 2.5 rec: 2.0 kl: 0.5`: the sum of its neighbours is the loss; so is the only value behind
   an epoch and a step. */
static void imply_total(struct sentence *sentence)
{
    static const char *const names[] = {"total", "tot", NULL};
    struct mention *total = NULL, *data = NULL;
    size_t parts = 0, places = 0;
    if (!has_position(sentence) || has_duration(sentence))
        return;
    for (size_t i = 0; i < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i];
        places += mention->field != FIELD_NONE;
        if (!is_free_value(mention))
            continue;
        if (!total && text_in(mention->name, names))
            total = mention;
        else if (is_data(mention))
            data = mention;
        else
            parts += !mention->naming.known || mention->naming.kind == KIND_OTHER ||
                     mention->naming.kind == KIND_LOSS;
        if (mention->naming.known && mention->naming.kind == KIND_LOSS && mention->naming.class < 1)
            return;
    }
    if (!total || (parts == 0 && places < 2))
        return;
    rename_to(sentence, total, total->name, TEXT("loss"));
    if (data)
        rename_to(sentence, data, data->name, TEXT("loss"));
}

/* `iter 10 value 120.5`, `At iterate 5  f= 1.2E+01`: what an optimiser makes less of. */
static void imply_objective(struct sentence *sentence)
{
    static const char *const names[] = {"value", "f", "fval", "fx", "l", NULL};
    static const char *const others[] = {"p", "r", NULL}; /* precision and recall stand before F */
    struct mention *objective = NULL;
    for (size_t i = 0; i < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i];
        if (mention->dropped || mention->field != FIELD_NONE)
            continue;
        if (text_in(mention->name, others) ||
            (mention->naming.known &&
             (mention->naming.kind == KIND_LOSS || mention->naming.kind == KIND_VAL_LOSS ||
              mention->naming.kind == KIND_METRIC || mention->naming.kind == KIND_VAL_METRIC)))
            return;
        if (!objective && is_free_value(mention) && text_in(mention->name, names))
            objective = mention;
    }
    if (objective && has_position(sentence))
        rename_to(sentence, objective, TEXT("objective"), TEXT("value"));
}

/* `train == 2.5 = 2.0 + 0.5`: what is written out as a sum is the loss. */
static void imply_sum(struct sentence *sentence)
{
    for (size_t i = 0; i < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i];
        size_t equals = solid_after(sentence, mention->end - 1u);
        size_t part = solid_after(sentence, equals), plus = solid_after(sentence, part);
        if (!is_free_value(mention) || !mention->phase_only || mention->phase == PHASE_NONE ||
            !is_punct(token_at(sentence, equals), '=') ||
            token_at(sentence, part)->kind != TOKEN_NUMBER ||
            !is_punct(token_at(sentence, plus), '+') ||
            token_at(sentence, solid_after(sentence, plus))->kind != TOKEN_NUMBER)
            continue;
        rename_to(sentence, mention, mention->name, TEXT("loss"));
    }
}

/* `TRAIN entropy: 9.5  VALID entropy: 9.4`: what is measured on both sets is the cross entropy;
   that of a policy is of training alone. */
static void imply_cross_entropy(struct sentence *sentence)
{
    struct mention *train = NULL, *validation = NULL;
    for (size_t i = 0; i < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i];
        if (!is_free_value(mention) || mention->words != 2 ||
            !text_folds_to(last_word(mention->name), "entropy"))
            continue;
        if (mention->phase == PHASE_TRAIN)
            train = mention;
        else if (mention->phase == PHASE_VALIDATION)
            validation = mention;
    }
    if (!train || !validation)
        return;
    rename_to(sentence, train, TEXT("train"), TEXT("cross entropy"));
    rename_to(sentence, validation, TEXT("valid"), TEXT("cross entropy"));
}

bool name_is_base_rate(struct text name)
{
    static const char *const names[] = {"base lr", "base_lr", "base learning rate", NULL};
    return text_in(name, names);
}

/* `Iteration 3 Loss: 2.5, Base Lr: 1e-3`: beside a loss it is no setting but the rate at that
   place, where no other is said. */
static void imply_rate(struct sentence *sentence)
{
    if (!has_position(sentence) || has_kind(sentence, KIND_LEARNING_RATE, KIND_LEARNING_RATE) ||
        !has_kind(sentence, KIND_LOSS, KIND_VAL_LOSS))
        return;
    for (size_t i = 0; i < sentence->count; i++)
        if (is_free_value(&sentence->mentions[i]) && name_is_base_rate(sentence->mentions[i].name))
            rename_to(sentence, &sentence->mentions[i], TEXT("learning"), TEXT("rate"));
}

/* The first of several numbers under one name in brackets. */
static bool opens_list(const struct sentence *sentence, const struct mention *mention)
{
    size_t comma = solid_after(sentence, mention->end - 1u);
    return mention->bracket && mention->separator && is_punct(token_at(sentence, comma), ',') &&
           token_at(sentence, solid_after(sentence, comma))->kind == TOKEN_NUMBER;
}

/* `losses: [2.4, 1.1, 0.3], sum_loss: 3.8`: the first of the parts stands for none beside a loss.
 */
static void imply_parts(struct sentence *sentence)
{
    struct mention *parts = NULL;
    bool other = false;
    for (size_t i = 0; i < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i];
        if (mention->dropped || !mention->naming.known || mention->naming.kind != KIND_LOSS)
            continue;
        if (!parts && opens_list(sentence, mention))
            parts = mention;
        else
            other = true;
    }
    if (parts && other)
        parts->dropped = true;
}

static bool is_v_loss(struct text name)
{
    static const char *const names[] = {"v_loss", "vloss", "v loss", "v-loss", NULL};
    return text_in(name, names);
}

/* The v of v_loss is the validation's where training has its own beside it and nothing says that
   it is the value's of an agent. */
static void imply_v(struct sentence *sentence)
{
    static const char *const trained[] = {"loss",   "t_loss",     "tloss",      "t loss",
                                          "t-loss", "train_loss", "train loss", NULL};
    struct mention *v = NULL;
    bool train = false;
    for (size_t i = 0; i < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i];
        if (mention->dropped || mention->field != FIELD_NONE)
            continue;
        if (is_v_loss(mention->name))
            v = mention;
        else if (mention->naming.reinforcement || mention->naming.kind == KIND_REWARD)
            return;
        train = train || text_in(mention->name, trained);
    }
    if (!v || !train)
        return;
    v->phase = PHASE_VALIDATION;
    rename_to(sentence, v, TEXT("val"), TEXT("loss"));
}

/* `{"metric": "val_loss", "value": 2.5}`: a member of the record names its value. */
static void imply_named_value(struct sentence *sentence)
{
    struct mention *value = NULL;
    for (size_t i = 0; i < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i];
        if (!mention->dropped && mention->keyed && text_folds_to(mention->name, "value"))
            value = mention;
    }
    for (size_t i = 0; value && i < sentence->cut->count; i++) {
        const struct token *token = token_at(sentence, i);
        if (token->kind != TOKEN_STRING || !string_names_value(sentence->cut, i))
            continue;
        struct text name = token_inner(sentence->cut, token);
        bool only;
        enum phase said = phase_of_name(sentence->reader->vocabulary, name, &only);
        value->phase = said != PHASE_NONE ? said : value->phase;
        value->name = sentence_copy(sentence, name);
        value->naming = memo_naming(sentence->reader, value->name, value->unit, value->phase);
        return;
    }
}

/* `|g|: 1.5`: the size of the gradient, as it is written on paper. */
static void imply_norm(struct sentence *sentence)
{
    static const char *const gradients[] = {"|g|", "|grad|", "|grads|", "|gradient|", "|dw|", NULL};

    for (size_t i = 0; i < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i];
        struct text name = mention->name;
        if (text_starts(name, "||") && text_ends(name, "||") && name.size > 4)
            name = text_cut(name, 1, name.size - 2);
        if (is_free_value(mention) && text_in(name, gradients))
            rename_to(sentence, mention, TEXT("grad"), TEXT("norm"));
    }
}

/* The return of an agent, by what is printed of it besides: `ret=350.5 q1=3.5 pi=-9.5`. Alone it is
   what a call returned. */
static struct mention *return_of(const struct sentence *sentence)
{
    static const char *const beside[] = {
        "q",   "q1",  "q2",    "qf",     "qf1",    "qf2", "pi",      "actor", "alpha", "entropy",
        "ent", "len", "eplen", "ep_len", "critic", "vf",  "epsilon", "eps",   NULL};
    struct mention *found = NULL;
    size_t others = 0;
    for (size_t i = 0; i < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i];
        if (mention->dropped || mention->side != SIDE_LEFT || mention->unit.size > 0)
            continue;
        if (!found && text_folds_to(mention->name, "ret"))
            found = mention;
        others += text_in(mention->name, beside);
    }
    return others > 0 ? found : NULL;
}

bool tells_return(const struct sentence *sentence)
{
    return return_of(sentence) != NULL;
}

static void imply_return(struct sentence *sentence)
{
    struct mention *mention = return_of(sentence);
    if (mention && mention->field == FIELD_NONE && mention->place == PLACE_NONE)
        rename_to(sentence, mention, TEXT("episode"), TEXT("return"));
}

/* `0, 98 %, 40123 MiB`, and nothing else behind the time: what nvidia-smi prints of a device beside
   a run that goes on. Of several amounts which one is in use cannot be told. */
static void imply_device(struct sentence *sentence)
{
    struct mention *busy = NULL, *memory = NULL;
    size_t shares = 0, amounts = 0;
    for (size_t i = 0; i < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i];
        const size_t next = solid_after(sentence, sentence->cut->numbers[mention->number]);
        if (is_punct(token_at(sentence, next), '%'))
            busy = shares++ == 0 ? mention : busy;
        else if (text_is(token_text(sentence->cut, token_at(sentence, next)), "MiB"))
            memory = amounts++ == 0 ? mention : memory;
        else if (i > 0 || !mention->integer)
            return;
    }
    if (!busy || !memory || has_position(sentence))
        return;
    rename_to(sentence, busy, TEXT("gpu"), TEXT("util"));
    busy->side = SIDE_LEFT;
    rename_to(sentence, memory, TEXT("gpu"), TEXT("memory"));
    for (size_t i = 0; i < sentence->count; i++) {
        struct mention *mention = &sentence->mentions[i];
        if (mention != busy && (mention != memory || amounts > 1))
            mention->dropped = true;
    }
}

void names_imply(struct sentence *sentence)
{
    imply_device(sentence);
    imply_norm(sentence);
    imply_return(sentence);
    imply_named_value(sentence);
    imply_phases(sentence);
    imply_total(sentence);
    imply_sum(sentence);
    imply_rate(sentence);
    imply_cross_entropy(sentence);
    imply_parts(sentence);
    imply_v(sentence);
    imply_objective(sentence);
}
