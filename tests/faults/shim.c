/* Preloaded into a Python process: numbers the file operations on one folder, and makes one of them fail or fatal.

   Only paths that start with the folder count, and descriptors that were opened through them. The N-th operation
   returns the chosen error without being carried out; in place of an error, SIGKILL ends the process just before it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST_DESCRIPTORS 4096
#define MOST_NAMES 65536

static char folder[4096];
static size_t folder_length;
static atomic_int is_armed;
static atomic_long n_calls;
static long fatal_call; /* from 1; 0 only counts */
static int fatal_error; /* an errno; 0 kills */
static char is_ours[MOST_DESCRIPTORS];
static const char *names[MOST_NAMES];

/* For ctypes. */
void faults_arm(const char *path, long call, int error) {
    strncpy(folder, path, sizeof folder - 1);
    folder_length = strlen(folder);
    atomic_store(&n_calls, 0);
    fatal_call = call;
    fatal_error = error;
    atomic_store(&is_armed, 1);
}

void faults_disarm(void) { atomic_store(&is_armed, 0); }

long faults_calls(void) { return atomic_load(&n_calls); }

const char *faults_name(long call) { return call > 0 && call < MOST_NAMES ? names[call] : ""; }

static int path_counts(const char *path) {
    return atomic_load(&is_armed) && path && strncmp(path, folder, folder_length) == 0;
}

static int descriptor_counts(int fd) {
    return atomic_load(&is_armed) && fd >= 0 && fd < MOST_DESCRIPTORS && is_ours[fd];
}

/* Count an operation; return whether it must fail. */
static int fails(const char *name) {
    long call = atomic_fetch_add(&n_calls, 1) + 1;
    if (call < MOST_NAMES) names[call] = name;
    if (call != fatal_call) return 0;
    if (fatal_error == 0) {
        kill(getpid(), SIGKILL);
        for (;;) pause();
    }
    errno = fatal_error;
    return 1;
}

static int opened(int fd, int counts) {
    if (fd >= 0 && fd < MOST_DESCRIPTORS) is_ours[fd] = (char)counts;
    return fd;
}

#define REAL(name) ((__typeof__(&name))real_##name())
#define LOOKUP(name)                                            \
    static void *real_##name(void) {                            \
        static void *found;                                     \
        if (!found) found = dlsym(RTLD_NEXT, #name);            \
        return found;                                           \
    }

#define MODE_OF(flags, mode)                                    \
    mode_t mode = 0;                                            \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                      \
        va_list rest;                                           \
        va_start(rest, flags);                                  \
        mode = va_arg(rest, mode_t);                            \
        va_end(rest);                                           \
    }

#define OPEN(name)                                              \
    LOOKUP(name)                                                \
    int name(const char *path, int flags, ...) {                \
        MODE_OF(flags, mode)                                    \
        int counts = path_counts(path);                         \
        if (counts && fails("open")) return -1;                 \
        return opened(REAL(name)(path, flags, mode), counts);   \
    }

#define OPENAT(name)                                            \
    LOOKUP(name)                                                \
    int name(int at, const char *path, int flags, ...) {        \
        MODE_OF(flags, mode)                                    \
        int counts = path_counts(path);                         \
        if (counts && fails("open")) return -1;                 \
        return opened(REAL(name)(at, path, flags, mode), counts); \
    }

#define FOPEN(name)                                             \
    LOOKUP(name)                                                \
    FILE *name(const char *path, const char *how) {             \
        int counts = path_counts(path);                         \
        if (counts && fails("open")) return NULL;               \
        FILE *file = REAL(name)(path, how);                     \
        if (file) opened(fileno(file), counts);                 \
        return file;                                            \
    }

/* Functions of a descriptor or a path, by their parameters and arguments. */
#define GUARD(kind, type, failed, test, name, parameters, arguments) \
    LOOKUP(name)                                                \
    type name parameters {                                      \
        if (test && fails(kind)) return failed;                 \
        return REAL(name) arguments;                            \
    }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
FOPEN(fopen)
FOPEN(fopen64)

#define FD descriptor_counts(fd)
GUARD("read", ssize_t, -1, FD, read, (int fd, void *to, size_t n), (fd, to, n))
GUARD("read", ssize_t, -1, FD, pread, (int fd, void *to, size_t n, off_t at), (fd, to, n, at))
GUARD("read", ssize_t, -1, FD, pread64, (int fd, void *to, size_t n, off64_t at), (fd, to, n, at))
GUARD("write", ssize_t, -1, FD, write, (int fd, const void *from, size_t n), (fd, from, n))
GUARD("write", ssize_t, -1, FD, pwrite, (int fd, const void *from, size_t n, off_t at), (fd, from, n, at))
GUARD("write", ssize_t, -1, FD, pwrite64, (int fd, const void *from, size_t n, off64_t at), (fd, from, n, at))
GUARD("write", ssize_t, -1, FD, writev, (int fd, const struct iovec *from, int n), (fd, from, n))
GUARD("write", size_t, 0, descriptor_counts(fileno(file)), fwrite, (const void *from, size_t size, size_t n, FILE *file),
      (from, size, n, file))
GUARD("flush", int, EOF, (file && descriptor_counts(fileno(file))), fflush, (FILE *file), (file))
GUARD("sync", int, -1, FD, fsync, (int fd), (fd))
GUARD("sync", int, -1, FD, fdatasync, (int fd), (fd))
GUARD("truncate", int, -1, FD, ftruncate, (int fd, off_t n), (fd, n))
GUARD("truncate", int, -1, FD, ftruncate64, (int fd, off64_t n), (fd, n))
GUARD("mmap", void *, MAP_FAILED, FD, mmap, (void *at, size_t n, int how, int flags, int fd, off_t from),
      (at, n, how, flags, fd, from))
GUARD("mmap", void *, MAP_FAILED, FD, mmap64, (void *at, size_t n, int how, int flags, int fd, off64_t from),
      (at, n, how, flags, fd, from))

#define EITHER (path_counts(from) || path_counts(to))
GUARD("rename", int, -1, EITHER, rename, (const char *from, const char *to), (from, to))
GUARD("rename", int, -1, EITHER, renameat, (int a, const char *from, int b, const char *to), (a, from, b, to))
GUARD("link", int, -1, EITHER, link, (const char *from, const char *to), (from, to))
GUARD("link", int, -1, EITHER, linkat, (int a, const char *from, int b, const char *to, int how), (a, from, b, to, how))
GUARD("unlink", int, -1, path_counts(path), unlink, (const char *path), (path))
GUARD("unlink", int, -1, path_counts(path), unlinkat, (int at, const char *path, int how), (at, path, how))
GUARD("mkdir", int, -1, path_counts(path), mkdir, (const char *path, mode_t mode), (path, mode))

/* A failed close has closed the descriptor all the same. */
LOOKUP(close)
int close(int fd) {
    int must_fail = descriptor_counts(fd) && fails("close");
    if (fd >= 0 && fd < MOST_DESCRIPTORS) is_ours[fd] = 0;
    int error = errno, result = REAL(close)(fd);
    if (!must_fail) return result;
    errno = error;
    return -1;
}
