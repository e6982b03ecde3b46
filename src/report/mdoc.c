/* mdoc(7): one sentence a line, so that mandoc's lint stays silent and changes read well. */
/* SPDX-License-Identifier: MIT */
#include "report/mdoc.h"

#include <ctype.h>
#include <string.h>

/* Text of a text line: no escape, no control line. */
static void put_escaped(const char *text, size_t size, struct out *out)
{
    char run[256];
    size_t used = 0;
    if (size && (text[0] == '.' || text[0] == '\''))
        out_literal(out, "\\&");
    for (size_t i = 0; i < size; i++) {
        if (used + 8 > sizeof(run)) {
            out_text(out, (struct text){run, used});
            used = 0;
        }
        if (text[i] == '\\') {
            memcpy(run + used, "\\e", 2);
            used += 2;
        } else {
            run[used++] = text[i];
        }
    }
    out_text(out, (struct text){run, used});
}

/* The end of the first sentence: behind its stop, where a blank and a new sentence follow. */
static size_t sentence_end(const char *text)
{
    size_t i = 0;
    while (text[i]) {
        bool stop = strchr(".!?", text[i]) && text[i + 1] == ' ' &&
                    (isupper((unsigned char)text[i + 2]) || text[i + 2] == '"');
        i++;
        if (stop)
            break;
    }
    return i;
}

static void put_sentences(const char *text, struct out *out)
{
    while (*text) {
        size_t size = sentence_end(text);
        size_t shown = size;
        while (shown && text[shown - 1] == ' ')
            shown--;
        put_escaped(text, shown, out);
        out_literal(out, "\n");
        text += size;
        while (*text == ' ')
            text++;
    }
}

void mdoc_head(const char *page, const char *about, struct out *out)
{
    out_literal(out, ".\\\" Printed by the program from its rule files; see tools/man.\n"
                     ".\\\" SPDX-License-Identifier: MIT\n"
                     ".Dd November 27, 2026\n.Dt ");
    for (const char *at = page; *at; at++)
        out_print(out, "%c", toupper((unsigned char)*at));
    out_print(out, " 7\n.Os\n.Sh NAME\n.Nm %s\n.Nd %s\n.Sh DESCRIPTION\n", page, about);
}

void mdoc_tail(const char *other, struct out *out)
{
    out_print(out, ".Sh SEE ALSO\n.Xr stalldoc 1 ,\n.Xr %s 7\n", other);
}

void mdoc_section(const char *group, struct out *out)
{
    out_literal(out, ".Sh ");
    for (; *group; group++)
        out_print(out, "%c", *group == '-' ? ' ' : toupper((unsigned char)*group));
    out_literal(out, "\n");
}

void mdoc_subsection(const char *id, struct out *out)
{
    out_print(out, ".Ss %s\n", id);
}

void mdoc_paragraph(const char *title, const char *text, struct out *out)
{
    if (!text || !*text)
        return;
    if (title)
        out_print(out, ".Pp\n.Em %s :\n", title);
    put_sentences(text, out);
}

void mdoc_list(const char *title, struct out *out)
{
    out_print(out, ".Pp\n.Em %s :\n.Bl -bullet -compact\n", title);
}

void mdoc_item(const char *text, const char *id, struct out *out)
{
    out_literal(out, ".It\n");
    put_sentences(text, out);
    if (id)
        out_print(out, ".Pq %s\n", id);
}

void mdoc_code(const char *title, const char *code, struct out *out)
{
    out_literal(out, ".Bd -literal\n");
    if (title) {
        out_literal(out, "# ");
        put_escaped(title, strlen(title), out);
        out_literal(out, "\n");
    }
    while (*code) {
        size_t size = strcspn(code, "\n");
        put_escaped(code, size, out);
        out_literal(out, "\n");
        code += size + (code[size] == '\n');
    }
    out_literal(out, ".Ed\n");
}

void mdoc_list_end(struct out *out)
{
    out_literal(out, ".El\n");
}
