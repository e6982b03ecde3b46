/* NumPy arrays (numpy/lib/format.py).

   offset  size
   0       6     93 'N' 'U' 'M' 'P' 'Y'
   6       2     major 1, 2 or 3; minor 0
   8       2|4   u16 (major 1) or u32: length of the header
   ..            a Python dictionary literal: descr, fortran_order, shape; then the values */
/* SPDX-License-Identifier: MIT */
#include "read/checkpoint/npy.h"

#include "stalldoc/number.h"

#include <inttypes.h>
#include <string.h>

enum { HEADER_MAX = 64 << 10, PRELUDE = 12 };

static int probe(struct span head, struct text file_name)
{
    (void)file_name;
    return head.size >= 8 && memcmp(head.data, "\x93NUMPY", 6) == 0 && head.data[6] >= 1 &&
                   head.data[6] <= 3
               ? 99
               : 0;
}

/* The text behind `'key':`, trimmed; empty where the key is missing. */
static struct text value_of(struct text header, struct text key)
{
    size_t at = text_find(header, key);
    if (at == header.size)
        return (struct text){0};
    struct text rest = text_cut(header, at + key.size, header.size);
    size_t colon = text_find(rest, TEXT(":"));
    return text_trim(text_cut(rest, colon + 1, rest.size));
}

static struct text quoted(struct text value)
{
    if (value.size < 2 || (value.data[0] != '\'' && value.data[0] != '"'))
        return (struct text){0};
    size_t end = 1;
    while (end < value.size && value.data[end] != value.data[0])
        end++;
    return text_cut(value, 1, end - 1);
}

static bool shape_take(struct text value, struct tensor_view *view)
{
    if (value.size == 0 || value.data[0] != '(')
        return false;
    for (size_t i = 1; i < value.size;) {
        char c = value.data[i];
        if (c == ')')
            return true;
        if (c < '0' || c > '9') {
            if (c != ' ' && c != ',' && c != 'L')
                return false;
            i++;
            continue;
        }
        uint64_t dim = 0;
        for (; i < value.size && value.data[i] >= '0' && value.data[i] <= '9'; i++)
            if (!size_product(dim, 10, &dim) ||
                !size_sum(dim, (uint64_t)(value.data[i] - '0'), &dim) || dim > INT64_MAX)
                return false;
        if (view->rank == TENSOR_RANK_MAX)
            return false;
        view->shape[view->rank++] = (int64_t)dim;
    }
    return false;
}

/* False on overflow; *count is the number of elements. */
static bool strides_set(struct tensor_view *view, bool fortran, uint64_t *count)
{
    *count = 1;
    for (int n = 0; n < view->rank; n++) {
        int i = fortran ? n : view->rank - 1 - n;
        view->stride[i] = (int64_t)*count;
        if (!size_product(*count, (uint64_t)view->shape[i], count) || *count > INT64_MAX)
            return false;
    }
    return true;
}

static enum dtype dtype_of(struct text descr, bool *swapped)
{
    *swapped = descr.size && descr.data[0] == '>';
    return dtype_of_code(text_cut(descr, 1, descr.size));
}

static bool header_take(struct input *input, uint64_t offset, uint64_t size, struct text *header,
                        uint64_t *start, struct error *error)
{
    struct span window;
    if (size < PRELUDE)
        return error_set(error, ERROR_TRUNCATED, input_place(input, offset),
                         "the array ends inside its header");
    if (!input_window(input, offset, PRELUDE, &window, error))
        return false;
    struct cursor cursor = {.rest = window};
    bool magic = memcmp(take_bytes(&cursor, 6).data, "\x93NUMPY", 6) == 0;
    uint8_t major = take_u8(&cursor);
    take_u8(&cursor);
    uint64_t length = major == 1 ? take_u16le(&cursor) : take_u32le(&cursor);
    *start = major == 1 ? 10 : 12;
    if (!magic || major < 1 || major > 3 || length > HEADER_MAX)
        return error_set(error, ERROR_MALFORMED, input_place(input, offset),
                         "the array's header is damaged");
    if (length > size - *start)
        return error_set(error, ERROR_TRUNCATED, input_place(input, offset),
                         "the array ends inside its header");
    if (!input_window(input, offset + *start, (size_t)length, &window, error))
        return false;
    *header = (struct text){(const char *)window.data, window.size};
    *start += length;
    return true;
}

static bool named_put(const struct reading *reading, struct tensor_view *view, struct text name,
                      const char *ending, struct error *error)
{
    view->dtype = DTYPE_OPAQUE;
    view->name = name;
    if (*ending) {
        struct text whole =
            name.size && !text_is(name, "(array)")
                ? arena_print(reading->scratch, "%.*s.%s", (int)name.size, name.data, ending)
                : text_of(ending);
        if (!whole.data)
            return error_set(error, ERROR_MEMORY, input_place(view->input, view->offset),
                             "no memory for a name");
        view->name = whole;
    }
    return reading->sink->tensor(reading->sink, view, error);
}

/* `size` bytes are there, of `whole`. */
static bool array_put(const struct reading *reading, struct input *input, uint64_t offset,
                      uint64_t size, uint64_t whole, struct text name, struct error *error)
{
    struct text header;
    uint64_t start = 0, count, bytes;
    if (!header_take(input, offset, size, &header, &start, error))
        return false;
    struct tensor_view view = {.name = name, .input = input, .offset = offset + start};
    struct text value = value_of(header, TEXT("descr")), descr = quoted(value);
    bool structured = value.size && value.data[0] == '[';
    bool fortran = text_starts(value_of(header, TEXT("fortran_order")), "True");
    view.dtype = dtype_of(descr, &view.swapped);
    view.type = view.dtype != DTYPE_OPAQUE               ? TEXT("")
                : structured                             ? TEXT("structured")
                : descr.size > 1 && descr.data[1] == 'O' ? TEXT("object")
                                                         : descr;
    if ((descr.size == 0 && !structured) || !shape_take(value_of(header, TEXT("shape")), &view) ||
        !strides_set(&view, fortran, &count))
        return error_set(error, ERROR_MALFORMED, input_place(input, offset),
                         "the array's header is damaged");
    if (descr.size > 1 && descr.data[1] == 'O')
        return named_put(reading, &view, name, "(object)", error);
    if (view.dtype == DTYPE_OPAQUE)
        return named_put(reading, &view, name, "", error);
    if (!size_product(count, dtype_size(view.dtype), &bytes) || bytes > whole - start)
        return error_set(error, ERROR_TRUNCATED, input_place(input, offset + size),
                         "the array was not fully written: %" PRIu64 " of its bytes are there",
                         size - start);
    view.absent = view.head = bytes > size - start;
    view.size = view.head ? size - start : bytes;
    return reading->sink->tensor(reading->sink, &view, error);
}

bool npy_put(const struct reading *reading, struct input *input, uint64_t offset, uint64_t size,
             struct text name, struct error *error)
{
    return array_put(reading, input, offset, size, size, name, error);
}

bool npy_put_head(const struct reading *reading, struct input *input, uint64_t whole,
                  struct text name, struct error *error)
{
    return array_put(reading, input, 0, input_size(input), whole, name, error);
}

static bool read_npy(const struct reading *reading, struct error *error)
{
    return npy_put(reading, reading->input, 0, input_size(reading->input), TEXT("(array)"), error);
}

const struct format format_npy = {
    .name = "numpy",
    .about = "NumPy array (.npy)",
    .group = FORMAT_CHECKPOINT,
    .probe = probe,
    .read = read_npy,
};
