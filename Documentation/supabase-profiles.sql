-- Signet: security primitives for Swift on Linux
-- SPDX-License-Identifier: Apache-2.0
--
-- A profile for each new user of a Supabase project: a row of public.profiles with the user's id,
-- the metadata's display_name or 'Me', the phone and both dates.
--
-- It expects, and does not make,
--
--     create table public.profiles (
--         id uuid primary key references auth.users (id) on delete cascade,
--         display_name text not null,
--         phone text,
--         created_at timestamptz not null,
--         updated_at timestamptz not null
--     );
--     alter table public.profiles enable row level security;
--
-- Run it on PostgreSQL 14 or newer as the owner of public.profiles (the SQL editor, or psql as
-- postgres), as often as you like. It replaces a function and a trigger of these names, as
-- Supabase's guide makes them. It changes no row: users who are there already get no profile.
--
-- An error of the trigger stops a sign-up, so nothing that a person can send is one: metadata that
-- are absent or no object, a name that is absent, blank or no text. A longer name is cut to 100
-- characters. A profile that is there already stays as it is. What stops sign-ups is a change of
-- yours: if public.profiles is gone, has a column more that must have a value, is narrower than 100
-- characters or has a check of its own.

begin;

-- As its owner, because GoTrue's role may not write to public; with an empty search_path, so that
-- nobody puts a function or table of their own in place of one that is named here.
create or replace function public.handle_new_user()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
    -- Who signs up writes these metadata: a name for showing, and no more.
    given pg_catalog.text := case
        when pg_catalog.jsonb_typeof(new.raw_user_meta_data -> 'display_name') = 'string'
        then new.raw_user_meta_data ->> 'display_name'
    end;
begin
    -- On a table of somebody else, who may not write profiles, it does nothing.
    if tg_table_schema <> 'auth' or tg_table_name <> 'users' then
        return new;
    end if;
    insert into public.profiles (id, display_name, phone, created_at, updated_at)
    values (
        new.id,
        coalesce(
            nullif(pg_catalog.left(pg_catalog.btrim(given, E' \t\n\r'), 100), ''), 'Me'),
        -- A number that is absent is null, or empty text.
        nullif(new.phone, ''),
        coalesce(new.created_at, pg_catalog.now()),
        coalesce(new.updated_at, new.created_at, pg_catalog.now())
    )
    on conflict do nothing;
    return new;
end;
$$;

-- Only the trigger uses it.
revoke execute on function public.handle_new_user() from public;

create or replace trigger on_auth_user_created
    after insert on auth.users
    for each row execute function public.handle_new_user();

commit;
