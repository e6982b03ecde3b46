/* Gradients that are listed by layer under one heading. */
/* SPDX-License-Identifier: MIT */
#include "../document/recorder.h"

extern const struct format format_text;

static void a_heading_belongs_to_every_layer(void **state)
{
    (void)state;
    recorder_expect(
        &format_text, "run.log",
        "step 100 loss 2.5 acc 0.5 | grad fc1 2e-10  fc8 1e-8  head 0.125\n"
        "step 200 | loss 2.5 | grad norms  layer0 2e-10 layer1 1e-8 layer2 0.125 | lr 0.5\n"
        "[step 300] loss=2.5 grad_norm: conv1=2e-10 conv8=1e-8 fc=0.125\n"
        "step 400: loss 2.5; gradients: stem: 2e-10, mid: 1e-8, out: 0.125\n",
        "1: step 100 grain 1: loss=2.5 acc=0.5 grad/fc1=2e-10 grad/fc8=1e-08 grad/head=0.125\n"
        "2: step 200 grain 1: loss=2.5 grad/layer0=2e-10 grad/layer1=1e-08 grad/layer2=0.125 "
        "lr=0.5\n"
        "3: step 300 grain 1: loss=2.5 grad/conv1=2e-10 grad/conv8=1e-08 grad/fc=0.125\n"
        "4: step 400 grain 1: loss=2.5 grad/stem=2e-10 grad/mid=1e-08 grad/out=0.125\n");
}

/* A line of layers alone is one of the record before it. */
static void layers_may_have_a_line_of_their_own(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 100 loss 2.5\n"
                    "   |g|    fc1 2e-10  fc2 1e-8  fc2.bias 0.125\n"
                    "step 200 loss 2.25\n"
                    "||grad|| enc 2e-10, mid 1e-8, dec 0.125\n"
                    "[GradNorm] rnn0/kernel 2e-10 rnn1/kernel 1e-8 dense/kernel 0.125\n"
                    "(grad norm): enc 2e-10 mid 1e-8 dec 0.125\n"
                    "grad norms | L1 2e-10 L2 1e-8 L3 0.125\n"
                    "step 300 loss 2.125\n"
                    "   |w|    fc1 2.5  fc2 1.5  fc2.bias 0.125\n",
                    "1: step 100 grain 1: loss=2.5\n"
                    "2: step 100 grain 8: grad/fc1=2e-10 grad/fc2=1e-08 grad/fc2.bias=0.125\n"
                    "3: step 200 grain 1: loss=2.25\n"
                    "4: step 200 grain 8: grad/enc=2e-10 grad/mid=1e-08 grad/dec=0.125\n"
                    "5: step 200 grain 8: grad/rnn0/kernel=2e-10 grad/rnn1/kernel=1e-08 "
                    "grad/dense/kernel=0.125\n"
                    "6: step 200 grain 8: grad/enc=2e-10 grad/mid=1e-08 grad/dec=0.125\n"
                    "7: step 200 grain 8: grad/L1=2e-10 grad/L2=1e-08 grad/L3=0.125\n"
                    "8: step 300 grain 1: loss=2.125\n");
}

/* A norm of all, what was measured of one, and other series are no layers. */
static void other_names_stay_as_they_are(void **state)
{
    (void)state;
    recorder_expect(&format_text, "run.log",
                    "step 100 grad min 2e-10 mean 1e-8 max 0.125\n"
                    "step 200 grad norm 0.5 fc1 0.25 fc2 0.125\n"
                    "step 300 loss 2.5 | weights fc1 2.5 fc8 1.5 head 0.125\n"
                    "step 400 grad fc1 0.5 loss 2.5 acc 0.5\n"
                    "step 500 grad fc1 0.5 fc2 0.25 | x 0.125\n"
                    "[WeightNorm] fc1 0.5 fc2 0.25 fc3 0.125\n",
                    "1: step 100 grain 1: grad min=2e-10 mean=1e-08 max=0.125\n"
                    "2: step 200 grain 1: grad norm=0.5 fc1=0.25 fc2=0.125\n"
                    "3: step 300 grain 1: loss=2.5 weights fc1=2.5 fc8=1.5 head=0.125\n"
                    "4: step 400 grain 1: grad fc1=0.5 loss=2.5 acc=0.5\n"
                    "5: step 500 grain 1: grad fc1=0.5 fc2=0.25 x=0.125\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_heading_belongs_to_every_layer),
        cmocka_unit_test(layers_may_have_a_line_of_their_own),
        cmocka_unit_test(other_names_stay_as_they_are),
    };
    return cmocka_run_group_tests(tests, recorder_setup, recorder_teardown);
}
