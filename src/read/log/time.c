/* Times, dates and durations in log lines, as people and loggers write them. */
/* SPDX-License-Identifier: MIT */
#include "read/log/reader.h"

static bool is_digit(struct text text, size_t at)
{
    return at < text.size && text.data[at] >= '0' && text.data[at] <= '9';
}

static bool is_letter(struct text text, size_t at)
{
    if (at >= text.size)
        return false;
    char c = (char)(text.data[at] | 0x20);
    return (c >= 'a' && c <= 'z') || text.data[at] == '_';
}

static char byte_at(struct text text, size_t at)
{
    return at < text.size ? text.data[at] : '\0';
}

/* Up to `most` digits; the count, 0 where more follow. */
static size_t take_digits(struct text text, size_t at, size_t most, int64_t *value)
{
    size_t n = 0;
    *value = 0;
    for (; n < most && is_digit(text, at + n); n++)
        *value = *value * 10 + (text.data[at + n] - '0');
    return is_digit(text, at + n) ? 0 : n;
}

/* The end of a time: no word, no further field. */
static bool bounded(struct text text, size_t at)
{
    if (is_letter(text, at) || is_digit(text, at))
        return false;
    char c = byte_at(text, at);
    return !((c == '.' || c == ':') && is_digit(text, at + 1));
}

static double days_of(int64_t year, int64_t month, int64_t day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t of_era = year - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t days = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    return (double)(era * 146097 + days - 719468);
}

static bool two(struct text text, size_t at, int64_t *value)
{
    if (!is_digit(text, at) || !is_digit(text, at + 1) || is_digit(text, at + 2))
        return false;
    *value = (text.data[at] - '0') * 10 + (text.data[at + 1] - '0');
    return true;
}

/* The digits behind a point; *at moves behind them. */
static double take_fraction(struct text text, size_t *at)
{
    double sum = 0, unit = 0.1;
    while (is_digit(text, *at)) {
        sum += unit * (text.data[(*at)++] - '0');
        unit /= 10;
    }
    return sum;
}

/* `1:06:15`, `00:43`, `10:00:00.123`, `10:00:00,123Z`; the bytes, 0 where there is none. */
static size_t take_clock(struct text text, size_t at, double *seconds, int *fields)
{
    int64_t a, b, c;
    size_t n = take_digits(text, at, 4, &a), i = at + n;
    if (n == 0 || byte_at(text, i) != ':' || !two(text, i + 1, &b))
        return 0;
    i += 3;
    *fields = 2;
    *seconds = (double)(a * 60 + b);
    if (byte_at(text, i) == ':' && two(text, i + 1, &c)) {
        i += 3;
        *fields = 3;
        *seconds = (double)(a * 3600 + b * 60 + c);
    }
    char point = byte_at(text, i);
    if ((point == '.' || point == ',') && is_digit(text, i + 1) && *fields == 3) {
        i++;
        *seconds += take_fraction(text, &i);
    }
    return i - at;
}

static size_t skip_zone(struct text text, size_t i)
{
    int64_t a, b;
    if (byte_at(text, i) == 'Z' && bounded(text, i + 1))
        return i + 1;
    if ((byte_at(text, i) == '+' || byte_at(text, i) == '-') && is_digit(text, i + 1)) {
        if (two(text, i + 1, &a) && byte_at(text, i + 3) == ':' && two(text, i + 4, &b))
            return i + 6;
        if (take_digits(text, i + 1, 4, &a) == 4)
            return i + 5;
    }
    return i;
}

/* `10-05`, `10-05-59` behind a date and a sign, as names of files have it. */
static size_t take_dashed(struct text text, size_t at, double *seconds, int *fields)
{
    int64_t a, b, c;
    if (!two(text, at, &a) || byte_at(text, at + 2) != '-' || !two(text, at + 3, &b) || a > 23 ||
        b > 59)
        return 0;
    *fields = 2;
    *seconds = (double)(a * 60 + b);
    if (byte_at(text, at + 5) != '-' || !two(text, at + 6, &c) || c > 59)
        return 5;
    *fields = 3;
    *seconds = (double)(a * 3600 + b * 60 + c);
    return 8;
}

static size_t with_clock(struct text text, size_t at, size_t i, double days, struct moment *moment,
                         bool needed)
{
    double seconds;
    int fields;
    size_t gap = i;
    if (byte_at(text, gap) == ',')
        gap++;
    while (byte_at(text, gap) == ' ' && gap < i + 3)
        gap++;
    if (gap == i && (byte_at(text, gap) == 'T' || byte_at(text, gap) == '-' ||
                     byte_at(text, gap) == '_' || byte_at(text, gap) == ':'))
        gap++;
    size_t n = gap > i ? take_clock(text, gap, &seconds, &fields) : 0;
    if (n == 0 && gap == i + 1 && byte_at(text, i) != ' ')
        n = take_dashed(text, gap, &seconds, &fields);
    moment->kind = TIME_DATE;
    if (n == 0 || seconds >= 86400 * 2) {
        moment->seconds = NAN;
        return !needed && bounded(text, i) ? i - at : 0;
    }
    if (fields == 2)
        seconds *= 60;
    moment->seconds = days * 86400 + seconds;
    i = skip_zone(text, gap + n);
    size_t half = i + (byte_at(text, i) == ' ');
    char c = (char)(byte_at(text, half) | 0x20);
    if ((c == 'a' || c == 'p') && (byte_at(text, half + 1) | 0x20) == 'm' &&
        bounded(text, half + 2))
        i = half + 2;
    return bounded(text, i) ? i - at : 0;
}

static size_t take_date(struct text text, size_t at, struct moment *moment)
{
    int64_t a, b, c;
    size_t n = take_digits(text, at, 8, &a), i = at + n;
    char sign = byte_at(text, i);
    if (n == 8 && a > 19700101 && a < 21001231 && (sign == ' ' || sign == '-' || sign == 'T'))
        return with_clock(text, at, i, days_of(a / 10000, a / 100 % 100, a % 100), moment, true);
    if (sign != '-' && sign != '/' && sign != '.')
        return 0;
    if (n == 4 && two(text, i + 1, &b) && byte_at(text, i + 3) == sign && two(text, i + 4, &c))
        return with_clock(text, at, i + 6, days_of(a, b, c), moment, false);
    if (n == 0 || n > 2)
        return 0;
    size_t m = take_digits(text, i + 1, 2, &b);
    size_t j = i + 1 + m;
    if (m == 0)
        return 0;
    if (byte_at(text, j) == sign) { /* day or month first, the year last */
        size_t y = take_digits(text, j + 1, 4, &c);
        if (y == 4 || (y == 2 && sign == '/'))
            return with_clock(text, at, j + 1 + y, days_of(y == 2 ? 2000 + c : c, a, b), moment,
                              y == 2);
        return 0;
    }
    if (n == 2 && m == 2 && sign == '/' && byte_at(text, j) == ' ')
        return with_clock(text, at, j, days_of(1970, a, b), moment, true);
    return 0;
}

/* `1d 02h 03m 04s`, `7h 2m 17s`, `0h 0m59s`: two parts or more, the larger unit first. */
static size_t take_parts(struct text text, size_t at, struct moment *moment)
{
    static const char units[] = "dhms";
    static const double seconds[] = {86400, 3600, 60, 1};
    double sum = 0;
    int parts = 0, last = -1;
    size_t i = at, end = at;
    for (;;) {
        int64_t value;
        size_t n = take_digits(text, i, 6, &value);
        if (n == 0)
            break;
        i += n;
        double fraction = 0;
        if (byte_at(text, i) == '.' && is_digit(text, i + 1)) {
            i++;
            fraction = take_fraction(text, &i);
        }
        int which = 0;
        while (which < 4 && byte_at(text, i) != units[which])
            which++;
        if (which == 4 || which <= last || (is_letter(text, i + 1)))
            break;
        last = which;
        sum += ((double)value + fraction) * seconds[which];
        end = ++i;
        parts++;
        while (byte_at(text, i) == ' ' && i < end + 2)
            i++;
    }
    if (parts < 2 || !bounded(text, end))
        return 0;
    *moment = (struct moment){TIME_DURATION, sum};
    return end - at;
}

/* `1 hour, 1 minute and 45.56 seconds`: two parts or more. */
static size_t take_words(struct text text, size_t at, struct moment *moment)
{
    static const char *const units[] = {"day", "hour", "minute", "second"};
    static const double seconds[] = {86400, 3600, 60, 1};
    double sum = 0;
    int parts = 0, last = -1;
    size_t i = at, end = at;
    for (;;) {
        int64_t value;
        size_t n = take_digits(text, i, 6, &value);
        if (n == 0)
            break;
        i += n;
        double fraction = 0;
        if (byte_at(text, i) == '.') {
            i++;
            fraction = take_fraction(text, &i);
        }
        int which = 0;
        if (byte_at(text, i) != ' ')
            break;
        while (which < 4 && !text_starts(text_cut(text, i + 1, 6), units[which]))
            which++;
        if (which == 4 || which <= last)
            break;
        last = which;
        sum += ((double)value + fraction) * seconds[which];
        for (i++; is_letter(text, i);)
            i++;
        end = i;
        parts++;
        if (byte_at(text, i) == ',')
            i++;
        if (text_starts(text_cut(text, i, 5), " and "))
            i += 4;
        if (byte_at(text, i) == ' ')
            i++;
    }
    if (parts < 2)
        return 0;
    *moment = (struct moment){TIME_DURATION, sum};
    return end - at;
}

/* `1 day, 11:08:17`, `0-00:12:49`, `1:06:15`, `00:43` */
static size_t take_duration(struct text text, size_t at, struct moment *moment)
{
    int64_t days = 0;
    int fields = 0;
    double seconds;
    size_t i = at, n = take_digits(text, at, 4, &days);
    if (n == 0)
        return 0;
    struct text rest = text_cut(text, at + n, 6);
    bool counted = true;
    char next = byte_at(text, at + n);
    if (next != ' ' && next != '-')
        counted = false;
    else if (text_starts(rest, " days,"))
        i = at + n + 6;
    else if (text_starts(rest, " day,"))
        i = at + n + 5;
    else if (text_starts(rest, "-") && is_digit(text, at + n + 1))
        i = at + n + 1;
    else
        counted = false;
    while (counted && byte_at(text, i) == ' ')
        i++;
    size_t clock = take_clock(text, counted ? i : at, &seconds, &fields);
    if (clock == 0 || (counted && fields < 3))
        return 0;
    size_t end = (counted ? i : at) + clock;
    if (!bounded(text, end))
        return 0;
    moment->kind = counted || fields == 2 ? TIME_DURATION : TIME_CLOCK;
    moment->seconds = seconds + (counted ? (double)days * 86400 : 0);
    return end - at;
}

bool word_is_weekday(struct text word)
{
    static const char *const names[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
    for (size_t i = 0; i < 7; i++)
        if (text_is(word, names[i]))
            return true;
    return false;
}

/* The month that a name at `at` says, from 0; 12: none. */
static int month_at(struct text text, size_t at)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    struct text name = text_cut(text, at, 3);
    int month = 0;
    while (month < 12 && !text_equal(name, (struct text){months + 3 * month, 3}))
        month++;
    return month;
}

/* `Mar 29, 22:22:23`, `Mar 29 22:22:23`, as it opens a line or stands in brackets. */
static size_t take_month(struct text text, size_t at, struct moment *moment)
{
    int64_t day;
    int month = month_at(text, at);
    if (month == 12 || byte_at(text, at + 3) != ' ')
        return 0;
    size_t i = at + 4 + (byte_at(text, at + 4) == ' ');
    size_t n = take_digits(text, i, 2, &day);
    return n > 0 ? with_clock(text, at, i + n, days_of(1970, month + 1, day), moment, true) : 0;
}

/* `Mon Jan  1 10:00:00 CEST 2024` */
static size_t take_weekday(struct text text, size_t at, struct moment *moment)
{
    int64_t day, year = 1970;
    double seconds;
    int fields;
    size_t i = at + 4;
    if (!word_is_weekday(text_cut(text, at, 3)) || byte_at(text, at + 3) != ' ')
        return 0;
    int month = month_at(text, i);
    if (month == 12)
        return 0;
    for (i += 3; byte_at(text, i) == ' ';)
        i++;
    size_t n = take_digits(text, i, 2, &day);
    if (n == 0 || byte_at(text, i + n) != ' ')
        return 0;
    i += n + 1;
    n = take_clock(text, i, &seconds, &fields);
    if (n == 0 || fields != 3)
        return 0;
    i += n;
    size_t end = i;
    for (size_t j = i; byte_at(text, j) == ' ' && j < i + 12;) { /* zone, then year */
        j++;
        size_t start = j;
        while (is_letter(text, j) || byte_at(text, j) == '+')
            j++;
        if (j == start && take_digits(text, j, 4, &year) == 4) {
            end = j + 4;
            break;
        }
    }
    *moment = (struct moment){TIME_DATE, days_of(year, month + 1, day) * 86400 + seconds};
    return end - at;
}

size_t time_take(struct text text, size_t at, struct moment *moment)
{
    if (!is_digit(text, at))
        return word_is_weekday(text_cut(text, at, 3)) ? take_weekday(text, at, moment)
                                                      : take_month(text, at, moment);
    size_t n = take_date(text, at, moment);
    if (n == 0)
        n = take_duration(text, at, moment);
    if (n == 0)
        n = take_parts(text, at, moment);
    if (n == 0)
        n = take_words(text, at, moment);
    return n;
}

double time_said(struct text text)
{
    struct moment moment;
    const size_t at = text_find(text, TEXT(" AT ")) + 4;
    const size_t size = at < text.size ? take_date(text, at, &moment) : 0;
    return size > 0 && moment.kind == TIME_DATE ? moment.seconds : 0;
}
