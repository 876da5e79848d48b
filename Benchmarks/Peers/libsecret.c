// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
//
// Times libsecret and the Secret Service that answers on this bus: libsecret SECONDS. Prints a line for each size of 1, 1 000,
// 10 000 items that is reached in so many seconds, and one for the last size: name, items, write median and 95th percentile,
// read median and 95th percentile; nanoseconds.

#include <libsecret/secret.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { value_count = 300, sample_count = 40, size_limit = 10000 };

static const SecretSchema schema = {
    "org.signet.Benchmark", SECRET_SCHEMA_NONE,
    {{"service", SECRET_SCHEMA_ATTRIBUTE_STRING}, {"account", SECRET_SCHEMA_ATTRIBUTE_STRING}, {NULL, 0}},
    0, NULL, NULL, NULL, NULL, NULL, NULL, NULL};

static void fail(const char *what, GError *error) {
    fprintf(stderr, "libsecret: %s: %s\n", what, error ? error->message : "no reason given");
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static GHashTable *attributes(int index) {
    char service[64], account[64];
    snprintf(service, sizeof service, "service-%09d.example", index / 100);
    snprintf(account, sizeof account, "user-%09d", index);
    return secret_attributes_build(&schema, "service", service, "account", account, NULL);
}

static void fill(char *bytes, int index) {
    memset(bytes, 'v', value_count);
    memcpy(bytes, &index, sizeof index);
}

static void store(SecretService *service, int index) {
    char bytes[value_count];
    fill(bytes, index);
    GError *error = NULL;
    GHashTable *const names = attributes(index);
    SecretValue *const value = secret_value_new(bytes, value_count, "application/octet-stream");
    if (!secret_service_store_sync(
            service, &schema, names, SECRET_COLLECTION_DEFAULT, "benchmark", value, NULL, &error))
        fail("store", error);
    secret_value_unref(value);
    g_hash_table_unref(names);
}

static void lookup(SecretService *service, int index) {
    char bytes[value_count];
    fill(bytes, index);
    GError *error = NULL;
    GHashTable *const names = attributes(index);
    SecretValue *const value = secret_service_lookup_sync(service, &schema, names, NULL, &error);
    gsize count = 0;
    if (!value) fail("lookup", error);
    const char *const found = secret_value_get(value, &count);
    if (count != value_count || memcmp(found, bytes, value_count) != 0) fail("a wrong answer", NULL);
    secret_value_unref(value);
    g_hash_table_unref(names);
}

static int compare(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void measure(SecretService *service, int count) {
    int64_t writes[sample_count], reads[sample_count];
    for (int i = 0; i < sample_count; i++) {
        const int index = rand() % count;
        const int64_t start = now();
        store(service, index);
        const int64_t between = now();
        lookup(service, index);
        reads[i] = now() - between;
        writes[i] = between - start;
    }
    qsort(writes, sample_count, sizeof *writes, compare);
    qsort(reads, sample_count, sizeof *reads, compare);
    const int high = sample_count * 95 / 100;
    printf("libsecret %d %lld %lld %lld %lld\n", count, (long long)writes[sample_count / 2], (long long)writes[high],
        (long long)reads[sample_count / 2], (long long)reads[high]);
    fflush(stdout);
}

static int is_size(int count) { return count == 1 || count == 1000 || count == size_limit; }

int main(int argument_count, char **arguments) {
    const int64_t deadline = now() + (int64_t)(argument_count > 1 ? atoi(arguments[1]) : 60) * 1000000000;
    GError *error = NULL;
    const SecretServiceFlags flags = SECRET_SERVICE_OPEN_SESSION | SECRET_SERVICE_LOAD_COLLECTIONS;
    SecretService *const service = secret_service_get_sync(flags, NULL, &error);
    if (!service) fail("no service", error);
    int count = 0;
    while (count < size_limit && now() < deadline) {
        store(service, count);
        count++;
        if (is_size(count)) measure(service, count);
    }
    if (!is_size(count)) measure(service, count);
    g_object_unref(service);
    return 0;
}
