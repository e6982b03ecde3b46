/* What the parts of the text log reader share: lines, tokens, templates, plans and states. */
/* SPDX-License-Identifier: MIT */
#ifndef STALLDOC_READ_LOG_READER_H
#define STALLDOC_READ_LOG_READER_H

#include "read/log/moment.h"
#include "read/log/traceback.h"
#include "stalldoc/format.h"
#include "stalldoc/kind.h"
#include "stalldoc/limits.h"
#include "stalldoc/message.h"
#include "stalldoc/number.h"

enum {
    TOKENS_MAX = 6144,  /* tokens of a line; what is beyond is not read */
    NUMBERS_MAX = 768,  /* number tokens of a line */
    COLUMNS_MAX = 320,  /* values of one row */
    PARTS_MAX = 8,      /* records glued together on one line */
    PLACES_MAX = 8,     /* place fields of one record */
    NAME_MAX = 200,     /* bytes of a key path */
    BATCH_ROWS = 256,   /* rows handed over at once */
    BATCH_CELLS = 4096, /* and cells */
    SHEETS_MAX = 32768, /* different sets of columns an input */
    RING_LINES = 4,     /* lines remembered as possible table heads */
    RING_BYTES = 2048,
    SEEN_MAX = 65536, /* hashes of lines met once (speed.md 3.2) */
    TEMPLATE_TEXT = 160,
    STREAM_CHAINS = 64,
    DUMPS_APART = 200, /* lines between two prints of settings that are two starts */
};

/* ---- Lines ---- */

struct line {            /* a piece of a physical line, cleaned */
    struct text raw;     /* without escapes and line end */
    struct text content; /* behind time, level and rank */
    struct text seen;    /* as it stands in the window */
    uint64_t number, offset;
    bool redraw; /* the physical line holds carriage returns or backspaces */
    bool last;   /* the last piece of its physical line */
    int32_t rank;
    double time;
    struct text stamp; /* the text of that time; "" none */
};

/* ---- Tokens ---- */

enum token_kind {
    TOKEN_END,
    TOKEN_WORD,
    TOKEN_KEY,    /* quoted and followed by a colon */
    TOKEN_STRING, /* other quoted text */
    TOKEN_NUMBER,
    TOKEN_TIME,
    TOKEN_OPAQUE, /* version, address, hash, path */
    TOKEN_ABSENT, /* None, N/A */
    TOKEN_BAR,
    TOKEN_BLANK, /* one blank */
    TOKEN_GAP,   /* more, or a tab */
    TOKEN_PUNCT,
};

enum token_flag {
    FLAG_INTEGER = 1,
    FLAG_NAN = 2,    /* a word for NaN or infinity */
    FLAG_QUOTED = 4, /* a number inside quotes */
    FLAG_TAB = 8,    /* a gap with a tab */
    FLAG_UPPER = 16, /* an exponent: rounded, identifies nothing */
};

struct token {
    uint8_t kind, flags;
    char byte;           /* of a punctuation */
    uint32_t start, end; /* in the content, with quotes and unit */
    uint32_t inner;      /* first byte of the number or of the text inside the quotes */
    uint32_t inner_end;
};

struct cut { /* a line in tokens; its memory is the reader's */
    struct text text;
    struct token *tokens;
    size_t count;
    uint16_t *numbers; /* indices of the number tokens */
    size_t number_count;
    size_t size; /* bytes that were read: less than text.size where a record follows a bar */
    uint64_t hash, fine; /* without and with the digits inside words */
    bool guarded;        /* some word holds digits */
    size_t bar;          /* index of a bar token, count where there is none */
};

/* ---- Plans ---- */

struct sheet { /* a set of columns, kept for good */
    uint64_t hash;
    uint32_t id; /* from 0: also the number of its template */
    uint32_t count;
    struct column *columns;
    struct sheet *next;
};

enum field {
    FIELD_STEP,
    FIELD_STEP_TOTAL,
    FIELD_BATCH,
    FIELD_BATCH_TOTAL,
    FIELD_EPOCH,
    FIELD_EPOCH_TOTAL,
    FIELD_COUNT
};

struct plan_place {
    uint16_t number; /* index among the line's numbers */
    uint8_t field;
    bool counter; /* a bare k/N: does not set the stream's place */
};

struct plan_value {
    uint16_t number, column;
    uint16_t of; /* 9806/10000 of a metric: it is their share; NO_NUMBER none */
    bool invert; /* a rate that flips with its inverse: it/s is kept as s/it */
};

#define NO_NUMBER UINT16_MAX

struct plan_part {             /* one record of a line */
    const struct sheet *sheet; /* NULL: no values */
    uint16_t first_value, value_count;
    struct plan_place places[PLACES_MAX];
    uint8_t place_count;
};

enum plan_flag {
    PLAN_SETS = 1,      /* its places become the stream's */
    PLAN_STRONG = 2,    /* a heading that is short and has a total or brackets */
    PLAN_BAR = 4,       /* redraws and ends of a progress bar */
    PLAN_SINGLE = 8,    /* one pair and no place: may belong to a print of settings */
    PLAN_SETTINGS = 16, /* plainly a print of settings */
    PLAN_CHANGE = 32,   /* "reducing learning rate to .." */
    PLAN_PHASE = 64,    /* says a phase for the lines that follow */
};

struct plan {
    uint16_t share; /* number of a bar's percentage; NO_NUMBER none */
    uint32_t flags;
    enum phase phase; /* with PLAN_PHASE */
    uint16_t value_count;
    uint8_t part_count;
    struct plan_part parts[PARTS_MAX];
    struct plan_value *values;
};

enum entry_flag {
    ENTRY_KNOWN = 1,       /* flags are filled in */
    ENTRY_LIVE = 2,        /* there is a plan */
    ENTRY_GUARDED = 4,     /* the fine hash decides */
    ENTRY_NUMBERS = 8,     /* the line has numbers */
    ENTRY_RULE = 16,       /* rule characters only */
    ENTRY_HEAD = 32,       /* may be the head of a table */
    ENTRY_ROW = 64,        /* may be a row of a table */
    ENTRY_BOX = 128,       /* | key | value | */
    ENTRY_MESSAGE = 256,   /* a fixed message is possible */
    ENTRY_SETTING = 512,   /* holds settings */
    ENTRY_LIFE = 1024,     /* says something about the life of the run */
    ENTRY_PHASE = 2048,    /* a phase heading without number */
    ENTRY_PAIR = 4096,     /* key and value, either of text or number */
    ENTRY_SHORT = 8192,    /* stored since its second sight */
    ENTRY_DUMP = 16384,    /* a command line or a whole dump of arguments */
    ENTRY_FACTS = 32768,   /* several known settings */
    ENTRY_PLACED = 65536,  /* live, with a place of its own */
    ENTRY_BRACES = 131072, /* opens or closes one */
};

struct entry { /* a line template */
    uint64_t hash;
    uint32_t flags;
    uint8_t event, phase;
    struct plan *plan;
    uint64_t uses, last_use;
    struct place first;
    uint16_t text_size;
    char text[TEMPLATE_TEXT]; /* for inspect */
};

/* ---- States ---- */

struct row { /* one row on its way out */
    const struct sheet *sheet;
    const double *values;
    const int16_t *places;
    struct position position;
    uint8_t grain;
    enum origin origin;
    enum phase phase;      /* for columns that say none */
    bool settings, change; /* as in struct shape */
    int32_t rank;
    uint64_t line, offset;
    double time;
    struct text text;
};

enum table_kind { TABLE_NONE, TABLE_DELIMITED, TABLE_ALIGNED, TABLE_PIPED };

enum { EDGES_MAX = 64 };

struct table { /* an open table of a stream */
    enum table_kind kind;
    char delimiter;
    uint32_t cells;
    const struct sheet *sheet;
    int16_t roles[COLUMNS_MAX]; /* of each cell: column >= 0, -1 none, -2 - field a place */
    bool phased;                /* the columns are phases, the rows have names */
    uint16_t edges; /* names of an aligned head whose places in the line are known; 0: none */
    uint16_t left[EDGES_MAX], right[EDGES_MAX]; /* bytes from the start of the line */
    uint64_t at;                                /* `lines` of its stream when it was opened */
};

struct ring_line { /* a line that may be the head of a table */
    uint16_t size;
    bool plain;    /* it is a head wherever its rows stand */
    size_t indent; /* blanks before it */
    uint64_t at;   /* how many lines that are not empty came before */
    char text[RING_BYTES];
};

enum { SINGLES_KEPT = 8 };
enum { BARE_CELLS = 24, BARE_ROWS = 3 };
struct bare { /* rows of numbers without a header, until three agree */
    size_t cells, count;
    const struct sheet *sheet;
    double values[BARE_ROWS][BARE_CELLS];
    int16_t places[BARE_ROWS][BARE_CELLS];
    int64_t totals[BARE_ROWS];
    uint64_t lines[BARE_ROWS], offsets[BARE_ROWS];
    uint64_t last_at;
    uint64_t of_file; /* rows from the first line on that are the loss the file is called after */
};

enum { BOX_ROWS = 96 };
struct box { /* an open box of keys and values */
    size_t count;
    struct text names[BOX_ROWS];
    struct text units[BOX_ROWS];
    double values[BOX_ROWS];
    int16_t places[BOX_ROWS];
    struct text group; /* in `bytes` too */
    char bytes[BOX_ROWS * 64];
    size_t used;
    struct position position;
    int step_rank;
    bool rounded; /* its step has an exponent */
    uint64_t line, offset;
    double time;
};

struct bar {
    bool open, finished, held; /* held: the last redraw is kept in `row` */
    bool validates;            /* no word says so, its place does */
    uint64_t ended, redraws;
    int64_t k, total, stride;
    int64_t from; /* k of its first drawing */
    int64_t epoch;
    uint32_t generation, number;
    uint64_t line;
    struct row row;
    double *values; /* COLUMNS_MAX */
    int16_t *places;
};

/* Steps that are printed rounded: `step:2K` four times running. */
struct round {
    const struct sheet *sheet; /* whose rows gave the stride; NULL: no step yet */
    int64_t last, stride;      /* stride 0: not known */
};

enum { NEST_BYTES = 32, NEST_LINES = 8 };

struct parent { /* a key of YAML whose settings stand further in, on the lines behind */
    char key[NEST_BYTES];
    size_t size, indent; /* size 0: none */
    uint64_t line;
};

enum { HISTORY_NAME = 40 };
struct history_name { /* `Train losses:`, which the list on the next line may be */
    char bytes[HISTORY_NAME];
    size_t size;
    uint64_t line;
    size_t length; /* readings of the last history of a loss; 0: there was none */
};

struct tie {            /* the bar of a run to records that tell parts of epochs alone */
    int64_t k, total;   /* of the bar; total 0: none was drawn */
    uint64_t line;      /* of its last drawing */
    double pace, paced; /* steps in an epoch, by the record that stood at this part; 0: unknown */
    bool begun;         /* it has given a step */
};

struct stream { /* one per rank */
    int32_t rank;
    struct position position; /* of the last line that had a place of its own */
    bool placed;
    uint32_t generation;
    uint64_t strong_until; /* line */
    enum phase heading;
    int64_t total; /* where the counters of training end */
    const struct sheet *single_sheets[SINGLES_KEPT];
    uint32_t singles; /* lines running that are one pair without a place */
    uint64_t last_heading, last_dump, last_single;
    struct parent parent;
    struct history_name history;
    uint64_t last_listed; /* line of an open list of settings; 0: none is open */
    bool swapped;         /* "Batch 0/100" is epoch and batch here */
    struct round round;
    struct traceback *traceback;
    struct table table, other; /* the open one, and the one before: two may take turns */
    struct bar bar;
    struct tie tie;
    struct box *box;
    struct ring_line *ring; /* RING_LINES, then a plain head that fell out of them */
    size_t ring_head;       /* the newest */
    uint64_t lines;         /* that are not empty */
    struct bare bare;
    struct stream *next;
};

/* ---- The reader ---- */

struct emitter;
struct sentence;
struct templates;
struct ahead;
struct fetch;
struct patterns;
struct memos;
struct ranks;
struct screen;
struct stanza;
struct gathered;
struct keywords;

struct reader {
    const struct reading *reading;
    struct sink *sink;
    struct arena *arena;
    const struct vocabulary *vocabulary;
    uint32_t input;
    struct cut cut;
    struct templates *templates;
    struct patterns *patterns;
    struct fetch *fetch; /* NULL: the lines come one by one */
    struct ahead *ahead; /* NULL until lines of one form stand together */
    struct memos *memos;
    struct screen *screen;     /* NULL until prose is met */
    struct stanza *stanza;     /* NULL until a line is read */
    bool in_stanza;            /* a record of several lines is open in it */
    bool in_history;           /* lists of numbers over several lines */
    struct gathered *gathered; /* NULL until such lists begin */
    unsigned prose;            /* lines that gave nothing, over those that did */
    struct sentence *sentence;
    struct emitter *emitter;
    struct sheet **sheets; /* hash table of SHEETS_MAX / 8 chains */
    uint32_t sheet_count;
    bool starved;        /* names were lost for want of memory */
    struct names *names; /* interned texts */
    struct ranks *ranks;
    struct stream **streams; /* hash table */
    struct stream *stream;   /* of the last line */
    size_t stream_count;
    struct line_counts counts;
    enum comma comma;
    enum phase phase;      /* that the file's name says: `valid.log` */
    struct text file_loss; /* the loss that it says, `train_loss.txt`, or its head; empty: none */
    bool file_head;        /* the first line says it: a file of one column */
    double *values;        /* COLUMNS_MAX, of the row at hand */
    int16_t *places;
    char *scratch; /* LIMIT_LINE bytes for cleaned pieces */
    double last_time;
    int64_t day; /* days passed by clocks without a date */
    double last_clock;
};

/* time.c: see moment.h */
bool word_is_weekday(struct text word);

/* prefix.c */
void prefix_strip(struct reader *reader, struct line *line);
size_t rank_strip(struct ranks *ranks, struct text line, int32_t *rank);
/* What the first bytes of a window show: ranks or line numbers in front of the lines, commas in
   numbers. */
bool head_learn(struct reader *reader, struct text head, struct error *error);

/* line.c */
typedef bool line_reader(struct reader *reader, struct line *line, struct error *error);
bool line_split(struct reader *reader, struct text physical, bool special, struct line *line,
                line_reader *read, struct error *error);

/* word_end.c: where the word that begins at `at` ends (`at` where none does); and where the line of
   a source behind one that ends at `end` does (`trainer.py:144`; `end` where it is none) */
size_t token_word_end(struct text text, size_t at);
size_t source_line_end(struct text text, size_t at, size_t end);
enum { GLUED_LEAST = 4 }; /* letters of a word that a number is glued to: `iter100` */
/* glue.c: of the word [at, end) that ends in a number glued to a place word, where the number
   begins; else `end`. `chained`: such a one stands in front. */
size_t glued_place(const struct vocabulary *vocabulary, struct text text, size_t at, size_t end,
                   bool chained);
/* `val_loss: 0.6Epoch 2: ..`, `0epoch: 13 loss: ..`: what looks like the unit [at, end) is a line
   that nobody ended. */
bool glued_record(const struct vocabulary *vocabulary, struct text text, size_t at, size_t end);
/* Behind the fraction that ends at `end` the name of a series stands with its sign: `0.0lr=`. */
bool glued_name(struct reader *reader, struct text text, size_t end);
/* token.c */
void line_cut(struct reader *reader, struct text text, struct cut *cut);
struct text token_text(const struct cut *cut, const struct token *token);
struct text token_inner(const struct cut *cut, const struct token *token);
/* Is string `i` of a record what its value is called, as in {"metric": "loss", "value": 2}? */
bool string_names_value(const struct cut *cut, size_t i);
struct text token_unit(const struct cut *cut, const struct token *token);
bool token_number(const struct reader *reader, const struct cut *cut, const struct token *token,
                  struct number *number);

/* glyphs.c: the end of what is drawn at `at`; `at` where nothing is. */
size_t bar_glyph(struct text text, size_t at); /* its bytes, 0: no glyph */
size_t glyphs_end(struct text text, size_t at);
/* Thin or double lines and their corners alone: what is drawn around words, by no bar. */
bool glyphs_rule(struct text text);
size_t bracket_bar_end(struct text text, size_t at);
/* Bytes of a sign of Unicode that is no letter, 0: none; what ASCII writes for it, '*' where it has
   nothing for it. */
size_t sign_glyph(struct text text, size_t at, char *byte);
size_t pipe_bar_end(struct text text, size_t at);
/* Behind a share: ` 10/30 [00:10<00:20`, a bar that is not drawn. */
bool undrawn_bar(struct text text, size_t at);

/* template.c */
bool templates_open(struct reader *reader, struct error *error);
/* The entry of the cut line; *fresh: it is to be understood now. NULL: memory. */
struct entry *template_find(struct reader *reader, const struct line *line, bool *fresh,
                            struct error *error);
/* The entry under which a live line is kept: its own where words hold digits. */
struct entry *template_guard(struct reader *reader, struct entry *entry, const struct line *line);
bool template_keep(struct reader *reader, struct entry *entry, const struct plan *plan,
                   struct error *error);
bool templates_tell(struct reader *reader, struct error *error);

/* understand.c */
bool understand(struct reader *reader, const struct line *line, struct entry *entry,
                struct plan **plan, struct error *error);

/* memo.c: what the vocabulary says, remembered */
bool memos_open(struct reader *reader, struct error *error);
struct naming memo_naming(struct reader *reader, struct text path, struct text unit,
                          enum phase phase);
struct fact_naming memo_fact(struct reader *reader, struct text key, struct text value);

/* names.c */
struct text name_intern(struct reader *reader, struct text text);
/* Whether `count` columns before it have its name and phase, too; *mark: `#2` of the second. */
bool column_again(const struct column *columns, size_t count, const struct column *column,
                  char mark[2]);
const struct sheet *sheet_find(struct reader *reader, const struct column *columns, size_t count);

/* plan.c */
/* Where a record stands, with what it inherits; whether an evaluation holds it, which leaves the
   stream's own place alone. */
bool record_place(struct stream *stream, struct row *row, bool named);
bool plan_apply(struct reader *reader, const struct line *line, const struct plan *plan,
                struct error *error);

/* state.c */
struct stream *stream_of(struct reader *reader, int32_t rank, struct error *error);
void position_clear(struct position *position);
void position_set(struct position *position, unsigned field, int64_t value);
/* What the line itself says and what it inherits. */
void position_inherit(const struct stream *stream, uint64_t line, struct position *position,
                      uint8_t *grain);
void stream_place(struct stream *stream, const struct position *own, uint64_t line);
void stream_reset(struct stream *stream);
/* The epoch that a bar names, for the bars behind it that name none; a step that is known stays. */
void stream_epoch(struct stream *stream, const struct position *own);
void stream_heading(struct stream *stream, uint64_t line, bool strong);
/* Behind a heading of validation a shorter count within the same epoch is the evaluation: it stands
   where training stopped for it, and its last record tells its outcome. */
bool stream_tests(struct stream *stream, const struct position *own);
uint8_t position_grain(const struct position *position);

/* emit.c */
bool batch_open(struct reader *reader, struct error *error);
bool batch_add(struct reader *reader, const struct row *row, struct error *error);
bool batch_flush(struct reader *reader, struct error *error);

/* table.c, box.c, bar.c, settings.c, life.c, listing.c: *taken says that the line is done */
bool table_line(struct reader *reader, const struct line *line, bool *taken, struct error *error);
/* `{'loss': [0.9, 0.7], 'acc': [0.1, 0.2]}`, where no reading was told before (history.c). */
void history_hear(struct reader *reader, const struct line *line); /* a name for the next line */
bool history_row(struct reader *reader, const struct line *line, bool *taken, struct error *error);
/* The same over several lines, of which `content` is one; it is read as any other line too. */
bool history_gather(struct reader *reader, const struct line *line, struct text content,
                    struct error *error);
/* The line that was cut may be the head of a table; its bar is none of it. */
bool ring_add(struct reader *reader, const struct line *line, struct error *error);
bool box_line(struct reader *reader, const struct line *line, bool *taken, struct error *error);
bool box_close(struct reader *reader, struct stream *stream, struct error *error);
/* `share`: its percentage, where it has no counter; -1 none. */
bool bar_row(struct reader *reader, struct stream *stream, struct row *row, const struct line *line,
             int64_t share, struct error *error);
bool bar_close(struct reader *reader, struct stream *stream, bool last, struct error *error);
bool settings_line(struct reader *reader, const struct line *line, struct error *error);
/* One of them, its key and its value cut out. */
bool settings_pair(struct reader *reader, const struct line *line, struct text key,
                   struct text value, struct error *error);
/* listing.c: of a list of settings in two columns below its heading. */
bool listing_line(struct reader *reader, const struct line *line, bool *taken, struct error *error);
/* tie.c: a bar is drawn; a record gets its step where it has none of its own. */
void tie_bar(struct stream *stream, int64_t k, int64_t total, uint64_t line);
bool tie_record(struct stream *stream, struct position *position, uint64_t line);
/* nest.c: what a line says of the key that stands over it. */
bool nest_line(struct reader *reader, const struct line *line, struct error *error);
uint32_t settings_look(struct reader *reader, const struct line *line);
uint32_t life_look(struct text text, uint8_t *event);
/* A word that some line about the life of the run holds. */
bool life_word(struct text word);
/* One word of each phrase, for a sieve. */
void life_keywords(struct keywords *keywords);
/* The lengths of such words, a bit each, by first_letters. */
void life_lengths(uint64_t lengths[FIRST_LETTERS]);
bool life_line(struct reader *reader, const struct line *line, enum event event,
               struct error *error);

#endif
