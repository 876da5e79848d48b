// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
//
// The functions of GLib, GIO and libsecret that SecretServiceBridge calls, and no others.
//
// These are our own prototypes, not the libraries' headers: those need include folders and flags that only pkg-config
// knows, among them -pthread, about which the Swift package manager warns in every build. This file states the ABI that
// these libraries have kept since libsecret 0.18 and GLib 2.44. Where the real headers are installed,
// Scripts/check-libsecret-prototypes.sh has a C compiler compare the two; `make lint` runs it.
#ifndef CLIBSECRET_SHIM_H
#define CLIBSECRET_SHIM_H

// The checker includes the real headers before this file, so it must skip what C does not allow to be declared twice.
#ifndef CLIBSECRET_CHECKING

typedef int gboolean;
typedef int gint;
typedef unsigned int guint;
typedef char gchar;
typedef unsigned int guint32;
typedef unsigned long guint64;
typedef unsigned long gsize;
typedef signed long gssize;
typedef void *gpointer;
typedef const void *gconstpointer;
typedef guint32 GQuark;
typedef gsize GType;

typedef struct _GError {
    GQuark domain;
    gint code;
    gchar *message;
} GError;

typedef struct _GList {
    gpointer data;
    struct _GList *next;
    struct _GList *prev;
} GList;

typedef struct _GHashTable GHashTable;
typedef struct _GMainContext GMainContext;
typedef struct _GCancellable GCancellable;
typedef struct _GDBusConnection GDBusConnection;
typedef struct _GDBusMessage GDBusMessage;
typedef struct _GDBusProxy GDBusProxy;
typedef struct _GVariant GVariant;
// The text that names a type, under a pointer type of its own.
typedef struct _GVariantType GVariantType;
typedef struct _SecretService SecretService;
typedef struct _SecretCollection SecretCollection;
typedef struct _SecretItem SecretItem;
typedef struct _SecretValue SecretValue;
// Its public fields include an array of 32 structures, which nothing here uses.
typedef struct _SecretSchemaOpaque SecretSchema;

typedef guint (*GHashFunc)(gconstpointer key);
typedef gboolean (*GEqualFunc)(gconstpointer a, gconstpointer b);
typedef void (*GDestroyNotify)(gpointer data);
typedef GDBusMessage *(*GDBusMessageFilterFunction)(
    GDBusConnection *connection, GDBusMessage *message, gboolean incoming, gpointer data);

// Enumerations of the libraries. They are unsigned, except for the one that has a negative value.
typedef gint GBusType;
typedef guint GDBusCallFlags;
typedef guint SecretServiceFlags;
typedef guint SecretCollectionFlags;
typedef guint SecretSearchFlags;
typedef guint SecretSchemaFlags;

#endif

// Values of those enumerations, and error codes. Their names are our own, so that the checker can compare both.
enum {
    SIGNET_BUS_TYPE_SESSION = 2,
    SIGNET_CALL_FLAGS_NONE = 0,
    SIGNET_SERVICE_NONE = 0,
    SIGNET_COLLECTION_NONE = 0,
    SIGNET_SEARCH_ALL = 2,
    SIGNET_SEARCH_LOAD_SECRETS = 8,
    SIGNET_SCHEMA_DONT_MATCH_NAME = 2,

    SIGNET_SECRET_ERROR_PROTOCOL = 1,
    SIGNET_SECRET_ERROR_IS_LOCKED = 2,
    SIGNET_SECRET_ERROR_NO_SUCH_OBJECT = 3,

    SIGNET_IO_ERROR_CLOSED = 18,
    SIGNET_IO_ERROR_CANCELLED = 19,
    SIGNET_IO_ERROR_TIMED_OUT = 24,
    SIGNET_IO_ERROR_DBUS_ERROR = 36,
    SIGNET_IO_ERROR_CONNECTION_CLOSED = 44,

    SIGNET_DBUS_ERROR_SERVICE_UNKNOWN = 2,
    SIGNET_DBUS_ERROR_NAME_HAS_NO_OWNER = 3,
    SIGNET_DBUS_ERROR_NO_REPLY = 4,
    SIGNET_DBUS_ERROR_LIMITS_EXCEEDED = 8,
    SIGNET_DBUS_ERROR_NO_SERVER = 11,
    SIGNET_DBUS_ERROR_TIMEOUT = 12,
    SIGNET_DBUS_ERROR_DISCONNECTED = 15,
    SIGNET_DBUS_ERROR_UNKNOWN_METHOD = 19,
    SIGNET_DBUS_ERROR_TIMED_OUT = 20,
    SIGNET_DBUS_ERROR_SPAWN_EXEC_FAILED = 23,
    SIGNET_DBUS_ERROR_SPAWN_NO_MEMORY = 34,
    SIGNET_DBUS_ERROR_UNKNOWN_OBJECT = 41
};

// GLib
void g_free(gpointer memory);
void g_error_free(GError *error);
void g_list_free(GList *list);
GList *g_list_prepend(GList *list, gpointer data);
gchar *g_strndup(const gchar *text, gsize length);
guint g_str_hash(gconstpointer text);
gboolean (g_str_equal)(gconstpointer a, gconstpointer b);
GHashTable *g_hash_table_new_full(
    GHashFunc hash, GEqualFunc equal, GDestroyNotify destroyKey, GDestroyNotify destroyValue);
gboolean g_hash_table_insert(GHashTable *table, gpointer key, gpointer value);
gpointer g_hash_table_lookup(GHashTable *table, gconstpointer key);
void g_hash_table_unref(GHashTable *table);
GMainContext *g_main_context_new(void);
void g_main_context_unref(GMainContext *context);
void g_main_context_push_thread_default(GMainContext *context);
void g_main_context_pop_thread_default(GMainContext *context);
gboolean g_main_context_iteration(GMainContext *context, gboolean mayBlock);
void g_main_context_wakeup(GMainContext *context);
GVariant *g_variant_new_string(const gchar *text);
GVariant *g_variant_new_array(const GVariantType *childType, GVariant *const *children, gsize count);
GVariant *g_variant_new_dict_entry(GVariant *key, GVariant *value);
GVariant *g_variant_new_tuple(GVariant *const *children, gsize count);
const gchar *g_variant_get_type_string(GVariant *value);
gsize g_variant_n_children(GVariant *value);
GVariant *g_variant_get_child_value(GVariant *value, gsize index);
GVariant *g_variant_get_variant(GVariant *value);
gboolean g_variant_get_boolean(GVariant *value);
const gchar *g_variant_get_string(GVariant *value, gsize *length);
void g_variant_unref(GVariant *value);

// GObject and GIO
gpointer (g_object_ref)(gpointer object);
void g_object_unref(gpointer object);
GQuark g_io_error_quark(void);
GQuark g_dbus_error_quark(void);
GCancellable *g_cancellable_new(void);
void g_cancellable_cancel(GCancellable *cancellable);
GDBusConnection *g_bus_get_sync(GBusType type, GCancellable *cancellable, GError **error);
void g_dbus_connection_set_exit_on_close(GDBusConnection *connection, gboolean exitOnClose);
gboolean g_dbus_connection_is_closed(GDBusConnection *connection);
guint g_dbus_connection_add_filter(
    GDBusConnection *connection, GDBusMessageFilterFunction filter, gpointer data, GDestroyNotify destroy);
void g_dbus_connection_remove_filter(GDBusConnection *connection, guint number);
const gchar *g_dbus_message_get_member(GDBusMessage *message);
const gchar *g_dbus_message_get_interface(GDBusMessage *message);
GVariant *g_dbus_connection_call_sync(
    GDBusConnection *connection, const gchar *busName, const gchar *path, const gchar *interface,
    const gchar *method, GVariant *parameters, const GVariantType *replyType, GDBusCallFlags flags,
    gint milliseconds, GCancellable *cancellable, GError **error);
const gchar *g_dbus_proxy_get_object_path(GDBusProxy *proxy);
gchar *g_dbus_proxy_get_name_owner(GDBusProxy *proxy);
gchar *g_dbus_error_get_remote_error(const GError *error);

// libsecret
GQuark secret_error_get_quark(void);
GType secret_service_get_type(void);
SecretService *secret_service_open_sync(
    GType type, const gchar *busName, SecretServiceFlags flags, GCancellable *cancellable, GError **error);
GList *secret_service_search_sync(
    SecretService *service, const SecretSchema *schema, GHashTable *attributes, SecretSearchFlags flags,
    GCancellable *cancellable, GError **error);
gboolean secret_service_store_sync(
    SecretService *service, const SecretSchema *schema, GHashTable *attributes, const gchar *collection,
    const gchar *label, SecretValue *value, GCancellable *cancellable, GError **error);
gint secret_service_lock_sync(
    SecretService *service, GList *objects, GCancellable *cancellable, GList **locked, GError **error);
gint secret_service_unlock_sync(
    SecretService *service, GList *objects, GCancellable *cancellable, GList **unlocked, GError **error);
SecretCollection *secret_collection_for_alias_sync(
    SecretService *service, const gchar *alias, SecretCollectionFlags flags, GCancellable *cancellable,
    GError **error);
SecretCollection *secret_collection_create_sync(
    SecretService *service, const gchar *label, const gchar *alias, guint flags, GCancellable *cancellable,
    GError **error);
gboolean secret_collection_get_locked(SecretCollection *collection);
gboolean secret_item_get_locked(SecretItem *item);
gchar *secret_item_get_label(SecretItem *item);
GHashTable *secret_item_get_attributes(SecretItem *item);
SecretValue *secret_item_get_secret(SecretItem *item);
gboolean secret_item_load_secret_sync(SecretItem *item, GCancellable *cancellable, GError **error);
gboolean secret_item_set_secret_sync(
    SecretItem *item, SecretValue *value, GCancellable *cancellable, GError **error);
gboolean secret_item_set_label_sync(
    SecretItem *item, const gchar *label, GCancellable *cancellable, GError **error);
gboolean secret_item_delete_sync(SecretItem *item, GCancellable *cancellable, GError **error);
SecretValue *secret_value_new(const gchar *secret, gssize length, const gchar *contentType);
const gchar *secret_value_get(SecretValue *value, gsize *length);
void secret_value_unref(gpointer value);
SecretSchema *secret_schema_newv(
    const gchar *name, SecretSchemaFlags flags, GHashTable *attributeNamesAndTypes);
void secret_schema_unref(SecretSchema *schema);

#endif
