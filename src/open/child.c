/* Child processes: a fork, limits of the system, a pipe. */
/* SPDX-License-Identifier: MIT */
#include "stalldoc/child.h"

#include "stalldoc/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct child {
    pid_t process;
    int in;
    int64_t deadline; /* milliseconds of the steady clock */
    unsigned seconds;
    struct place place;
};

static int64_t milliseconds(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void limit_set(int what, rlim_t most)
{
    struct rlimit limit;
    if (getrlimit(what, &limit) != 0)
        return;
    if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > most)
        limit.rlim_max = most;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(what, &limit);
}

/* Bytes of address space in use; 0 where the system does not tell. */
static uint64_t mapped(void)
{
    char text[64] = {0};
    uint64_t pages = 0;
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    const ssize_t size = file >= 0 ? read(file, text, sizeof(text) - 1) : 0;
    if (file >= 0)
        close(file);
    for (ssize_t i = 0; i < size && text[i] >= '0' && text[i] <= '9'; i++)
        pages = pages * 10 + (uint64_t)(text[i] - '0');
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

void child_seal(const struct child_limits *limits)
{
    const uint64_t used = mapped();
    if (used)
        limit_set(RLIMIT_AS, (rlim_t)(used + limits->memory));
    limit_set(RLIMIT_DATA, (rlim_t)(used + limits->memory));
    limit_set(RLIMIT_NOFILE, 0);
}

bool child_write(int out, const void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t count = write(out, (const char *)bytes + done, size - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        done += (size_t)count;
    }
    return true;
}

/* What a library prints is nobody's business. */
static void silence(void)
{
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int i = 0; i < 3; i++)
        if (nothing < 0 || dup2(nothing, i) < 0)
            close(i);
}

static void child_run(void (*job)(void *context, int out), void *context, int out,
                      const struct child_limits *limits)
{
    static const int signals[] = {SIGSEGV, SIGBUS,  SIGABRT, SIGFPE,
                                  SIGILL,  SIGPIPE, SIGXCPU, SIGTERM};
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        signal(signals[i], SIG_DFL);
    limit_set(RLIMIT_CORE, 0);
    limit_set(RLIMIT_FSIZE, 0);
    limit_set(RLIMIT_CPU, limits->seconds);
    silence();
    job(context, out);
    raise(SIGTERM); /* at once: an exit would run and flush what is the parent's */
}

struct child *child_start(void (*job)(void *context, int out), void *context,
                          const struct child_limits *limits, struct place place,
                          struct error *error)
{
    struct child *child = block_take(sizeof(*child));
    int ends[2] = {-1, -1};
    if (!child) {
        error_set(error, ERROR_MEMORY, place, "no memory for a process");
        return NULL;
    }
    *child = (struct child){.process = -1, .seconds = limits->seconds, .place = place};
    bool sound = pipe(ends) == 0;
    if (sound && ends[1] <= STDERR_FILENO) { /* it would be silenced */
        const int higher = fcntl(ends[1], F_DUPFD, STDERR_FILENO + 1);
        close(ends[1]);
        ends[1] = higher;
        sound = higher >= 0;
    }
    if (sound)
        child->process = fork();
    if (child->process == 0) {
        close(ends[0]);
        child_run(job, context, ends[1], limits);
    }
    const int reason = errno;
    if (ends[1] >= 0)
        close(ends[1]);
    child->in = ends[0];
    child->deadline = milliseconds() + 2000 * (int64_t)limits->seconds;
    if (child->process > 0)
        return child;
    child_end(child);
    error_set(error, ERROR_IO, place, "cannot start a process: %s", strerror(reason));
    return NULL;
}

static int reap(struct child *child)
{
    int status = 0;
    while (child->process > 0 && waitpid(child->process, &status, 0) < 0)
        if (errno != EINTR)
            break;
    child->process = -1;
    return status;
}

/* Its end of the pipe is closed, and it was not done. */
static bool died(struct child *child, struct error *error)
{
    const int status = reap(child);
    const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (number == SIGXCPU || number == SIGKILL)
        return error_set(error, ERROR_LIMIT, child->place,
                         "reading it took more than %u seconds of processor time", child->seconds);
    if (number && number != SIGTERM)
        return error_set(error, ERROR_MALFORMED, child->place,
                         "reading it ended the process that did (signal %d)", number);
    return error_set(error, ERROR_MALFORMED, child->place, "the process that read it gave up");
}

bool child_read(struct child *child, void *buffer, size_t size, struct error *error)
{
    for (size_t done = 0; done < size;) {
        struct pollfd ready = {.fd = child->in, .events = POLLIN};
        const int64_t left = child->deadline - milliseconds();
        const int polled = left > 0 ? poll(&ready, 1, (int)left) : 0;
        if (polled < 0 && errno == EINTR)
            continue;
        if (polled <= 0)
            return error_set(error, ERROR_LIMIT, child->place,
                             "reading it took more than %u seconds", 2 * child->seconds);
        const ssize_t count = read(child->in, (char *)buffer + done, size - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return died(child, error);
        done += (size_t)count;
    }
    return true;
}

void child_end(struct child *child)
{
    if (!child)
        return;
    if (child->in >= 0)
        close(child->in);
    if (child->process > 0)
        kill(child->process, SIGKILL);
    reap(child);
    block_free(child);
}
